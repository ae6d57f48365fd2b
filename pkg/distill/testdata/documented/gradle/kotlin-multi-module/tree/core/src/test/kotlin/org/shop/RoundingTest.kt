package org.shop
class RoundingTest { val r = Rounding }
//
//
//
//
//
//
//
//
//
//
//
//
