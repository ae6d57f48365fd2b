from cart.total import total
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
