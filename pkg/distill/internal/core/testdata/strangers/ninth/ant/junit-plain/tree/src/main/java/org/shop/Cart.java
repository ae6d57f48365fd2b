package org.shop;

import java.util.ArrayList;
import java.util.List;
import org.shop.money.Rounding;

public class Cart {
    private final List<Double> items = new ArrayList<>();

    public Cart add(double p) {
        items.add(p);
        return this;
    }

    public long total() {
        return Rounding.cents(items.stream().mapToDouble(d -> d).sum());
    }

    public double first() {
        return items.get(0);
    }
}
