package org.shop;

import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import java.util.List;
import static org.junit.jupiter.api.Assertions.*;

class PriceTest {
    @Test
    void adds() {
        assertEquals(6, new Price().total(List.of(new int[] {2, 3})), "quantities");
    }

    @Test
    void labelsNobody() {
        assertEquals("ANON", new Price().label(null));
    }

    @Test
    void empty() {
        assertEquals(0, new Price().total(List.of()));
    }

    @Test
    @Disabled("later")
    void later() {}

    @Nested
    class Inner {
        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void odd(int n) {
            assertTrue(n % 2 == 1);
        }
    }
}
