using Xunit;

namespace Shop.Tests;

public class CartTests
{
    [Fact]
    public void Total_rounds_up()
    {
        Assert.Equal(8, new Cart().Total());
    }

    [Fact]
    public void First_item()
    {
        new Cart().First();
    }
}
