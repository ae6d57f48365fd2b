use strict;
use utf8;
use lib 'lib';
use Till;
binmode STDOUT, ':utf8';

my ($ok, $bad) = (0, 0);
sub check {
    my ($name, $got, $want) = @_;
    if ($got == $want) { $ok++; print "ПРОЙДЕН: $name\n"; return }
    $bad++;
    my (undef, $file, $line) = caller;
    print "ОШИБКА: $name ($file:$line)\n  получено $got, ожидалось $want\n";
}

check('сумма двух цен', Till::total(2, 3), 5);
check('налог с сотни', Till::vat(100), 20);
check('половина десяти', Till::half(10), 5);
check('налог с нуля', Till::vat(0), 0);

print "\nИтого: пройдено $ok, ошибок $bad\n";
exit($bad ? 1 : 0);
