//go:build !linux

package sandbox

func mounts(string, []string) Support {
	return Support{Why: "this system gives commands no mounts of their own"}
}
