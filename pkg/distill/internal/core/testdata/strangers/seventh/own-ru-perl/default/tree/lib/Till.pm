package Till;
use strict;

sub total { my $s = 1; $s += $_ for @_; return $s }
sub vat   { return $_[0] * 20 / 100 }
sub half  { return int($_[0] / 3) }

1;
