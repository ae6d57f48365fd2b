using NUnit.Framework;

namespace Shop.Tests;

public class PriceTests
{
    [Test]
    public void Adds()
    {
        Assert.Equal(6, new Price().Total(new[] { 2 }));
    }

    [Test]
    public void LabelsNobody()
    {
        Assert.Equal("ANON", new Price().Label(null));
    }
}
