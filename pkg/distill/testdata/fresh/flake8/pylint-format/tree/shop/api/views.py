import os
from typing import Optional


def find(name: str) -> Optional[int]:
    if name == None:
        return undefined_thing
    return len(name)


def double(name: str) -> int:
    return find(name) * 2
