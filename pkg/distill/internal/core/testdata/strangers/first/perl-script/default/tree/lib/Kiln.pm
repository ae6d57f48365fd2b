package Kiln;
use strict;
sub heat { return $_[0] * 9 }
sub label { my $p = shift; die "pot without a name" unless $p->{name}; return uc $p->{name} }
1;
