import java.util.*;

class Stock {
    private final Map<String, Integer> pieces = new TreeMap<>();

    void put(String what, int n) {
        pieces.put(what, n);
    }

    int take(String what, int n) {
        int left = pieces.get(what) - n;
        pieces.put(what, left);
        return left;
    }
}
