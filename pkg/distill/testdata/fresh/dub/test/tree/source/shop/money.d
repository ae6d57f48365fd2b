module shop.money;

int cents(double x)
{
    return cast(int) x;
}

unittest
{
    assert(cents(2.0) == 2);
}

unittest
{
    assert(cents(7.5) == 8, "half cents go up");
}
