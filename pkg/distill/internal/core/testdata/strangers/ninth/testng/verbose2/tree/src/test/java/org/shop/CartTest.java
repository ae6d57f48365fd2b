package org.shop;

import static org.testng.Assert.assertEquals;

import org.testng.annotations.Test;

public class CartTest {
    @Test
    public void empty() {
        assertEquals(0, new Cart().total());
    }

    @Test
    public void halfCents() {
        assertEquals(new Cart().add(7.5).total(), 8, "goes up");
    }

    @Test
    public void firstOfNone() {
        assertEquals(0.0, new Cart().first(), 0.1);
    }

    @Test(enabled = false)
    public void refunds() {}
}
