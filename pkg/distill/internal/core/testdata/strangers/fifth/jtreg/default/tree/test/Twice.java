/*
 * @test
 * @summary a thing may be in a bag twice
 * @library ../src
 * @run main Twice
 */
public class Twice {
    public static void main(String[] args) {
        Bag b = new Bag();
        b.add("nail");
        b.add("nail");
        if (b.size() != 2) {
            throw new RuntimeException("size is " + b.size() + ", not 2");
        }
    }
}
