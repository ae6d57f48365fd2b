use strict; use warnings; use lib 'lib'; use Till;
my ($depth, $pass, @fail) = (0, 0); my @path;
sub group { my ($n, $c) = @_; print '  ' x $depth, "$n\n"; push @path, $n; $depth++; $c->(); $depth--; pop @path }
sub it { my ($n, $c) = @_; my $ok = eval { $c->(); 1 };
  print '  ' x $depth, ($ok ? "\e[32m" : "\e[31m"), "$n\e[0m\n";
  $ok ? $pass++ : push @fail, [join(' / ', @path, $n), $@] }
sub same { my ($got, $want) = @_; my (undef, $f, $l) = caller; die "$f:$l\n  got $got\n  not $want\n" if $got ne $want }
group 'till', sub {
  group 'change', sub {
    it 'of ten', sub { same(Till->new->change(10, 4), 6) };
    it 'of too little', sub { same(Till->new->change(3, 4), 0) };
  };
  group 'total', sub {
    it 'of nothing', sub { same(Till->new->total, 0) };
    it 'of three', sub { same(Till->new->total({ cents => 100, n => 3 }), 300) };
  };
};
my $i = 0;
print "\n"; print ++$i, ". $_->[0]\n$_->[1]\n" for @fail;
print "Green: $pass\nRed: ", scalar(@fail), "\n"; exit @fail > 0;
