package org.shop;

import org.testng.annotations.*;
import java.util.List;
import static org.testng.Assert.*;

public class PriceTest {
    @Test
    public void adds() {
        assertEquals(6, new Price().total(List.of(new int[] {2, 3})), "quantities");
    }

    @Test
    public void labelsNobody() {
        assertEquals("ANON", new Price().label(null));
    }

    @Test
    public void empty() {
        assertEquals(0, new Price().total(List.of()));
    }

}
