def test_p():
    assert 1
