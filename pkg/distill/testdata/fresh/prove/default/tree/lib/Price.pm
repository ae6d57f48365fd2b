package Price;
use strict;
sub total { my $s = 0; $s += $_->{price} for @_; $s }
sub label { my $u = shift; die "no user" unless $u; uc $u }
1;
