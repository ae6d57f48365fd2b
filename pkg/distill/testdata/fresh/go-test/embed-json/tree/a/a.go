package a

import "example.com/yard/b"

func A() int { return b.B }
