describe Cart do
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
