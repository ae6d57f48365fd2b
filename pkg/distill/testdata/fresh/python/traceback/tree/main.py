from shop.price import label


def main():
    try:
        label(None)
    except AttributeError as e:
        raise ValueError("bad user") from e


main()
