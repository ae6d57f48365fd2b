use lib ".";
use Ship;
my $n = 0;
sub t { my ($name, $got, $want) = @_; $n++; printf "%3d. %-30s %s\n", $n, $name, $got eq $want ? "as expected" : "=> $got (should be $want)"; $bad++ if $got ne $want }
t("weight class $_", Ship::class($_), $_ > 50 ? "heavy" : "light") for 1 .. 60;
t("port of call", Ship::port("x"), "Bergen");
t("flag", Ship::flag(), "no");
print "warnings: 2 deprecated calls\nunexpected: 0\n";
exit($bad ? 1 : 0);
