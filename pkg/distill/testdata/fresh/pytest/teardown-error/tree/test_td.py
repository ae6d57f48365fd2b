import pytest


@pytest.fixture
def db():
    yield 1
    raise RuntimeError("cannot close")


def test_a(db):
    assert db == 2
