import os
import sys


def f(x: int) -> str:
    y = x
    return x + undefined_name
