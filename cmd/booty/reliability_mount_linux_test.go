package main

import "syscall"

// mountSmall mounts a file system of 6 MB.
func mountSmall(dir string) error { return syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=6m") }

func unmount(dir string) error { return syscall.Unmount(dir, syscall.MNT_DETACH) }
