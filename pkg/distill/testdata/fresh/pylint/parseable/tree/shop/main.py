from shop.api.views import double

x: str = double(3)
print(x)
