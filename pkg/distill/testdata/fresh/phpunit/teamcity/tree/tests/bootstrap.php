<?php
require __DIR__ . '/../src/Money/Rounding.php';
require __DIR__ . '/../src/Cart.php';
