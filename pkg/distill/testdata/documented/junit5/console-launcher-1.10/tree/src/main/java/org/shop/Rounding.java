package org.shop;
class Rounding {}
