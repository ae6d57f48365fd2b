#include "cart/cart.h"
