<?php
namespace Shop;

class Price
{
    public function total(array $items): int
    {
        return array_sum(array_column($items, "price"));
    }

    public function label(?object $user): string
    {
        return strtoupper($user->name());
    }
}
