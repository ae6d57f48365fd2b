package org.shop;

import java.util.List;

public class Price {
    public int total(List<int[]> items) {
        int s = 0;
        for (int[] i : items) s += i[0];
        return s;
    }

    public String label(String name) {
        return name.toUpperCase();
    }
}
