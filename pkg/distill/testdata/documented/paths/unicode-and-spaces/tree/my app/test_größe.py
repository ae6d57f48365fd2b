from größe import größe


def test_größe():
    assert größe([1]) == 2
