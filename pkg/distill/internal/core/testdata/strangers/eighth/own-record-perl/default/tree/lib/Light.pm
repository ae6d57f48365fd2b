package Light;
use strict;

sub range   { return int($_[0] / 5) * 3 }
sub flashes { my ($s, $p) = @_; return int($s / $p) + 1 }
sub colour  { my $b = shift; die "no bearing\n" if $b > 180; return $b < 90 ? 'red' : 'white' }

1;
