--TEST--
change is given back
--FILE--
<?php
require __DIR__ . '/../src/Till.php';
var_dump(Till::change(10, 7));
?>
--EXPECT--
int(3)
