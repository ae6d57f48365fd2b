<?php
namespace Shop\Money;

final class Rounding
{
    public static function cents(float $a): int
    {
        return (int) floor($a);
    }
}
