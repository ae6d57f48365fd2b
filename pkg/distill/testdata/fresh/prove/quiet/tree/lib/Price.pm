package Price;
use strict;
sub total { my $s = 0; $s += $_->{price} for @_; $s }
1;
