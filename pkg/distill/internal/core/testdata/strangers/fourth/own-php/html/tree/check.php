<?php
require 'src/Till.php';
$log = [];
function check(string $what, bool $ok, string $why = '') {
    global $log; $log[$what] = $ok;
    echo $ok ? "  (ok) $what\n" : "  (!!) $what" . ($why ? " --> $why" : '') . ' [' . basename(debug_backtrace()[0]['file']) . ':' . debug_backtrace()[0]['line'] . "]\n";
}
$t = new Till;
echo "Till\n";
check('change of ten', $t->change(10, 4) === 6);
check('three of a kind', ($x = $t->total([['cents' => 100, 'n' => 3]])) === 300, "$x");
try { $t->change(3, 4); check('too little', true); } catch (Exception $e) { check('too little', false, $e->getMessage()); }
$bad = count(array_filter($log, fn($x) => !$x));
echo "\n", count($log), " checks, $bad problems\n";
exit($bad ? 1 : 0);
