/*
 * @test
 * @summary an empty bag has no first thing
 * @library ../src
 */
public class Empty {
    public static void main(String[] args) {
        if (new Bag().first() != null) throw new RuntimeException("something was there");
    }
}
