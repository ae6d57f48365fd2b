package Shop::Cart;
use strict;
use warnings;
use Shop::Rounding;

sub new { return bless { items => [] }, shift }

sub add {
    my ($self, $price, $qty) = @_;
    push @{ $self->{items} }, $price * $qty;
    return $self;
}

sub total {
    my ($self) = @_;
    my $sum = 0;
    $sum += $_ for @{ $self->{items} };
    return Shop::Rounding::cents($sum);
}

sub first { my ($self) = @_; return $self->{items}[0]->name }

1;
