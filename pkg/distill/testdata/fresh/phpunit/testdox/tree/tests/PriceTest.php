<?php
use PHPUnit\Framework\TestCase;
use Shop\Price;

require_once __DIR__ . "/../src/Price.php";

final class PriceTest extends TestCase
{
    public function testTotal(): void
    {
        $this->assertSame(6, (new Price)->total([["price" => 2, "qty" => 3]]));
    }

    public function testLabel(): void
    {
        $this->assertSame("ANON", (new Price)->label(null));
    }

    public function testEmpty(): void
    {
        $this->assertSame(0, (new Price)->total([]));
    }

    /** @dataProvider rows */
    public function testRows($a, $b): void
    {
        $this->assertEquals($a, $b);
    }

    public function rows(): array
    {
        return ["same" => [1, 1], "other" => [[1, 2], [1, 3]]];
    }

    public function testLater(): void
    {
        $this->markTestSkipped("later");
    }
}
