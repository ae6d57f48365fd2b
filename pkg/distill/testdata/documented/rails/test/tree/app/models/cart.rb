class Cart
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
