package org.shop

object Rounding {
    fun cents(x: Double): Int = x.toInt()
}
