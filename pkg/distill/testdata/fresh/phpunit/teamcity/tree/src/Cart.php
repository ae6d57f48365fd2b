<?php
namespace Shop;

use Shop\Money\Rounding;

final class Cart
{
    private array $items = [];

    public function add(string $n, float $p, int $q = 1): self
    {
        $this->items[] = [$n, $p, $q];
        return $this;
    }

    public function total(): int
    {
        return Rounding::cents(array_sum(array_map(fn ($i) => $i[1] * $i[2], $this->items)));
    }

    public function first(): string
    {
        return $this->items[0]->name();
    }
}
