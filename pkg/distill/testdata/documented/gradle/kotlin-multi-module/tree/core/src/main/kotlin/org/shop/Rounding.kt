package org.shop
object Rounding
