use strict;
use lib 'lib';
use Light;

my @cases = (
    ['range', sub { Light::range(25) }, 15],
    ['flashes', sub { Light::flashes(60, 5) }, 12],
    ['red-sector', sub { Light::colour(45) }, 'red'],
    ['white-sector', sub { Light::colour(200) }, 'white'],
);
my $bad = 0;
for my $c (@cases) {
    my ($name, $run, $want) = @$c;
    my $got = eval { $run->() };
    my $err = $@;
    chomp $err;
    my $status = $err ? 'error' : $got eq $want ? 'success' : 'failure';
    $bad++ if $status ne 'success';
    print "Test:     $name\n";
    print "Status:   $status\n";
    print "Expected: $want\nActual:   $got\n" if $status eq 'failure';
    print "Reason:   $err\n" if $err;
    print "\n";
}
print "$bad problem(s)\n" if $bad;
exit($bad > 0);
