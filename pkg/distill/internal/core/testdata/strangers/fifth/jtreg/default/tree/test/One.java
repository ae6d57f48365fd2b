/*
 * @test
 * @library ../src
 */
public class One {
    public static void main(String[] args) {
        Bag b = new Bag();
        b.add("x");
        if (b.size() != 1) throw new RuntimeException();
    }
}
