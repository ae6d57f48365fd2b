package org.shop
class CartSpec { Cart c }
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
//
//
//
//
//
//
//
//
