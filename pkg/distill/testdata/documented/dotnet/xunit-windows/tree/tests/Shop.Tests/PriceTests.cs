using Xunit;

namespace Shop.Tests;

public class PriceTests
{
    [Fact]
    public void Adds()
    {
        Assert.Equal(6, new Price().Total(new[] { 2 }));
    }

    [Fact]
    public void LabelsNobody()
    {
        Assert.Equal("ANON", new Price().Label(null));
    }
}
