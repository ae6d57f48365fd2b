package org.shop;
class Cart { long t() { return Rounding.cents(7.5); } }
