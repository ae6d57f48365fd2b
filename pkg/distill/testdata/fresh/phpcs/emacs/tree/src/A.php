<?php
class a{
    function b( ){ return 1; }
}
