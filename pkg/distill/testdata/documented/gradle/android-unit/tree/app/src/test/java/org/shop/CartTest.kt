package org.shop

import org.junit.Assert.assertEquals
import org.junit.Test

class CartTest {
    @Test
    fun `rounds half cents up`() {
        assertEquals(8, Cart().total())
    }
}
