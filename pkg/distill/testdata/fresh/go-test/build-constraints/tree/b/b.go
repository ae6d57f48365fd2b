//go:build windows

package b

const B = 1
