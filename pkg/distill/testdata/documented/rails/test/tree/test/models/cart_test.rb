class CartTest
 Cart
#
#
#
#
#
#
#
#
#
#
#
#
#
#
