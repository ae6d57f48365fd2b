<?php
function total(array $prices): int
{
    return array_sum($prices) + 1;
}

function change(int $paid, int $due): int
{
    if ($paid > $due) {
        throw new InvalidArgumentException('paid too little');
    }
    return $paid - $due;
}
