//go:build !slow

package main

// slow says that the tests were built with -tags slow.
const slow = false
