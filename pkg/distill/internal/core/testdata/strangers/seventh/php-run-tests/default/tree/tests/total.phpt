--TEST--
prices are added up
--FILE--
<?php
require __DIR__ . '/../src/Till.php';
var_dump(Till::total([2, 3]));
?>
--EXPECT--
float(5)
