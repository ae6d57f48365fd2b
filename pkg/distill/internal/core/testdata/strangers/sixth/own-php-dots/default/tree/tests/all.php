<?php
require __DIR__ . '/../src/Menu.php';

$tests = [
    'the cheapest dish' => function () {
        $m = new Menu();
        $m->add('soup', 4.5);
        $m->add('fish', 12);
        same('soup', $m->cheapest());
    },
    'dishes are counted' => function () {
        $m = new Menu();
        $m->add('soup', 4.5);
        same(1, $m->count());
    },
    'no tax on an empty menu' => function () {
        same(0, (new Menu())->tax());
    },
];

function same($want, $have) {
    if ($want !== $have) {
        throw new LogicException('wanted ' . var_export($want, true) . ', got ' . var_export($have, true));
    }
}

$failures = [];
foreach ($tests as $name => $fn) {
    try {
        $fn();
        echo '.';
    } catch (Throwable $e) {
        echo $e instanceof LogicException ? 'F' : 'E';
        $failures[$name] = $e;
    }
}
echo "\n\n";
$i = 0;
foreach ($failures as $name => $e) {
    printf("%d) %s\n   %s: %s\n", ++$i, $name, get_class($e), $e->getMessage());
    foreach ($e->getTrace() as $f) {
        if (isset($f['file'])) {
            printf("   in %s on line %d\n", substr($f['file'], strlen(dirname(__DIR__)) + 1), $f['line']);
        }
    }
    echo "\n";
}
printf("Tests: %d, broken: %d\n", count($tests), count($failures));
exit($failures ? 1 : 0);
