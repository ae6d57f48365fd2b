<?php

namespace App;
class b_c
{
    var $x;
}
