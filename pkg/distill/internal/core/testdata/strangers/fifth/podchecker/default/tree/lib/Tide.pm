package Tide;

=head1 NAME

Tide - when the water is high

=over 4

=item next

See L<<other>.

=head2 Methods

=foo

=cut

1;
