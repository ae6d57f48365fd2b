import time

from shop.cart import Cart


def wait_for(cart):
    while cart.total() < 8:
        time.sleep(0.05)


def test_waits():
    wait_for(Cart().add("tea", 2.5, 3))


def test_ok():
    assert Cart().total() == 0
