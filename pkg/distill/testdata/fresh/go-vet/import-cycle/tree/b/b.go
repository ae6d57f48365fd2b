package b

import "example.com/yard/a"

var B = a.A()
