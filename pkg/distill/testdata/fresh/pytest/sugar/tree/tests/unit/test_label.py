from shop.accounts.label import label


def test_names_people():
    assert label({"name": " Ann "}) == "Ann"


def test_nobody():
    assert label({"name": None}) == "anonymous"
