import shop.missing
