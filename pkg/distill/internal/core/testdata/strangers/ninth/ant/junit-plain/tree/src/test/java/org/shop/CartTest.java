package org.shop;

import static org.junit.Assert.assertEquals;

import org.junit.Ignore;
import org.junit.Test;

public class CartTest {
    @Test
    public void empty() {
        assertEquals(0, new Cart().total());
    }

    @Test
    public void halfCents() {
        assertEquals("goes up", 8, new Cart().add(7.5).total());
    }

    @Test
    public void firstOfNone() {
        assertEquals(0.0, new Cart().first(), 0.1);
    }

    @Ignore("later")
    @Test
    public void refunds() {}
}
