from behave import given, then, when

from shop.cart import Cart


@given("a cart")
def cart(ctx):
    ctx.cart = Cart()


@when("I add 3 teas")
def add(ctx):
    ctx.cart.add("tea", 2.5, 3)


@then("the total is {n:d}")
def total(ctx, n):
    assert ctx.cart.total() == n, f"total is {ctx.cart.total()}, not {n}"
