--TEST--
value added tax is rounded
--FILE--
<?php
require __DIR__ . '/../src/Till.php';
var_dump(Till::vat(10.0));
?>
--EXPECT--
float(1.9)
