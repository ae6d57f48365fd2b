package TillTest;
use base qw(Test::Unit::TestCase);
use Till;

sub new { my $self = shift()->SUPER::new(@_); return $self; }

sub test_total {
    my $self = shift;
    $self->assert_num_equals(5, Till::total(2, 3));
}

sub test_change {
    my $self = shift;
    $self->assert_num_equals(3, Till::change(10, 7));
}

sub test_exact {
    my $self = shift;
    $self->assert_num_equals(0, Till::change(7, 7));
}

1;
