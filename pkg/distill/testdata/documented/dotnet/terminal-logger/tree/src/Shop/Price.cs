namespace Shop;

public class Price
{
    public int Total(int[] p) => p.Length;
    public string Label(User u) => u.Name.ToUpper();
}
