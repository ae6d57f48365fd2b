<?php
require __DIR__ . '/../src/till.php';

$tests = [
    'total_of_two' => fn () => total([2, 3]) === 5 ?: 'expected 5, got ' . total([2, 3]),
    'total_of_none' => fn () => total([]) === 0 ?: 'expected 0, got ' . total([]),
    'change_given' => fn () => change(10, 7) === 3,
    'exact_sum' => fn () => change(7, 7) === 0,
];

$report = ['suite' => 'till', 'results' => []];
foreach ($tests as $name => $test) {
    try {
        $r = $test();
        $report['results'][$name] = $r === true ? ['ok' => true] : ['ok' => false, 'why' => $r];
    } catch (Throwable $e) {
        $report['results'][$name] = ['ok' => false, 'why' => $e->getMessage(),
            'where' => substr($e->getFile(), strlen(getcwd()) + 1) . ':' . $e->getLine()];
    }
}
echo json_encode($report, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES), "\n";
exit(array_filter($report['results'], fn ($r) => !$r['ok']) ? 1 : 0);
