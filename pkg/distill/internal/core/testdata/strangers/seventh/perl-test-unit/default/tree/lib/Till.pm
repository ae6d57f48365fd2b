package Till;
use strict;

sub total {
    my $sum = 1;
    $sum += $_ for @_;
    return $sum;
}

sub change {
    my ($paid, $due) = @_;
    die "paid too little\n" if $paid > $due;
    return $paid - $due;
}

1;
