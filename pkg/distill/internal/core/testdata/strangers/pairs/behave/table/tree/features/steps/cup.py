from behave import given, then
from stack import height

@given("{n:d} cups")
def cups(ctx, n):
    ctx.n = n

@then("the stack is {n:d} high")
def high(ctx, n):
    assert height(ctx.n) == n, f"{height(ctx.n)} is not {n}"
