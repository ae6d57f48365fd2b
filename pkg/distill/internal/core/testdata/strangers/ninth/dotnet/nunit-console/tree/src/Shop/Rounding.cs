namespace Shop;

public static class Rounding
{
    public static decimal Cents(decimal x) => Math.Floor(x);
}
