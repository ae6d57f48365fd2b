package Shop::Rounding;
use strict;
use warnings;

sub cents {
    my ($x) = @_;
    return int $x;
}

1;
