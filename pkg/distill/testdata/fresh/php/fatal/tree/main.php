<?php
require "src/Price.php";
echo (new Shop\Price)->label(null);
