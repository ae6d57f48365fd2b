import java.util.*;

public class Bag {
    private final List<String> things = new ArrayList<>();
    public void add(String s) { if (!things.contains(s)) things.add(s); }
    public int size() { return things.size(); }
    public String first() { return things.get(0); }
}
