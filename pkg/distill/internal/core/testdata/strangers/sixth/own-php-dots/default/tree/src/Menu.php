<?php
class Menu
{
    private array $dishes = [];
    public function add(string $name, float $price): void { $this->dishes[$name] = $price; }
    public function cheapest(): string { asort($this->dishes); return array_key_last($this->dishes); }
    public function count(): int { return count($this->dishes); }
    public function tax(): int { return intdiv((int) array_sum($this->dishes), $this->count()); }
}
