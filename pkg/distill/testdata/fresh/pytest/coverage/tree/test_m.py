from m import m

def test_m():
    assert m(1) == 1
