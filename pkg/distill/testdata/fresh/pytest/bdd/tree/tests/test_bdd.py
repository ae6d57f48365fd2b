from pytest_bdd import given, scenarios, then, when

from shop.cart import Cart

scenarios("features/cart.feature")


@given("an empty cart", target_fixture="cart")
def empty():
    return Cart()


@when("I add 3 teas")
def add(cart):
    cart.add("tea", 2.5, 3)


@then("the total is 8")
def total(cart):
    assert cart.total() == 8
