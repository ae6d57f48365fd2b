<?php
class Till
{
    public static function total(array $prices): float
    {
        return array_sum($prices) + 1;
    }

    public static function vat(float $net): float
    {
        return round($net * 0.19, 2);
    }
}
