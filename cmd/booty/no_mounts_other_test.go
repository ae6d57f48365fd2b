//go:build !linux

package main

// canDenyMounts says that a program can be run as in a container with the usual rules here.
const canDenyMounts = false

func withoutMounts() { panic("only Linux has mounts to deny") }
