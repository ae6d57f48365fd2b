from shop.total import total
#
#
#
#
#
#
#
#
