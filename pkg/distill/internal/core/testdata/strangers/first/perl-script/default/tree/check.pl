use strict; use lib 'lib'; use Kiln;
my ($bad, $n) = (0, 0);
sub check { my ($name, $code) = @_; $n++; my $r = eval { $code->() }; my $e = $@;
  if ($r) { printf "%-30s [ OK ]\n", $name } else { $bad++; printf "%-30s [FAIL]\n", $name; print "    $e" if $e } }
check("starts cold", sub { Kiln::heat(0) == 0 });
check("ten minutes", sub { Kiln::heat(10) == 100 });
check("nameless pot", sub { Kiln::label({}) eq "NAMELESS" });
print "Total $n, failed $bad\n"; exit($bad ? 1 : 0);
