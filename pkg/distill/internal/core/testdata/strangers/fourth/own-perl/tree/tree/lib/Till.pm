package Till;
use strict; use warnings;
sub new { bless {}, shift }
sub total { my ($self, @items) = @_; my $t = 0; $t += $_->{cents} for @items; $t }
sub change {
    my ($self, $paid, $due) = @_;
    die "paid too little: $paid\n" if $paid < $due;
    return $paid - $due;
}
1;
