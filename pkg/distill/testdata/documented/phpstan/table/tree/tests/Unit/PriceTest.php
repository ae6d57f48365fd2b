<?php
use App\Price;

it("adds", function () {
    expect((new Price)->total([2, 4]))->toBe(6);
});
