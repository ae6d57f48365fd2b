package check

import "strings"

// sameName compares names of environment variables, whose case means nothing here.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }
