package Crane;
use strict;

sub lift {
    my $w = shift;
    open(F, "log.txt");
    print F $w;
    eval "1 + $w";
    return;
}

1;
