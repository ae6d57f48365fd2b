package a

import "example.com/yard/bb"

func A() int { return bb.B }
