<?php
class TillTest extends PHPUnit\Framework\TestCase {
    function testGivesChange() { $this->assertSame(6, (new Till)->change(10, 4)); }
    function testAddsQuantities() {
        $this->assertSame(300, (new Till)->total([['cents' => 100, 'n' => 3]]));
    }
    function testAsksForMore() {
        $this->assertSame('more', (new Till)->change(3, 4));
    }
}
