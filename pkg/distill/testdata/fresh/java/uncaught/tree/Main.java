import org.shop.Price;

public class Main {
    public static void main(String[] a) {
        try {
            new Price().label(null);
        } catch (RuntimeException e) {
            throw new IllegalStateException("no label", e);
        }
    }
}
