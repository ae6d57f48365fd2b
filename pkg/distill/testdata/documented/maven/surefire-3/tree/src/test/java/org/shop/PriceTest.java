package org.shop;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.*;

class PriceTest {
    @Test
    void adds() {
        assertEquals(6, new Price().total(new int[] {2, 4}));
    }

    @Test
    void labelsNobody() {
        assertEquals("", new Price().label(null));
    }
}
