package Ship;
sub class { $_[0] > 50 ? "heavy" : "light" }
sub port { "Oslo" }
sub flag { "no" }
1;
