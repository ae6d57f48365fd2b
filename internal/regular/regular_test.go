//go:build unix

package regular

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestOnlyRegularFilesAreRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := errors.Join(os.WriteFile(at("file"), []byte("text"), 0o644), os.WriteFile(at("empty"), nil, 0o644), os.Mkdir(at("dir"), 0o755),
		syscall.Mkfifo(at("pipe"), 0o644), os.Symlink("pipe", at("link")), os.Symlink("file", at("good"))); err != nil {
		t.Fatal(err)
	}
	if l, err := net.Listen("unix", at("socket")); err == nil {
		defer l.Close()
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, want := range map[string]string{"file": "text", "good": "text", "empty": "", "dir": "a directory", "pipe": "a named pipe",
		"link": "a named pipe", "socket": "a socket", "none": ""} {
		for way, read := range map[string]func() ([]byte, error){
			"by path":      func() ([]byte, error) { return Read(at(name), 4) },
			"below a root": func() ([]byte, error) { return ReadIn(root, name, 4) },
		} {
			data, err := read()
			switch {
			case name == "none":
				if !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s %s: %v", name, way, err)
				}
			case want == "text" || want == "":
				if err != nil || string(data) != want {
					t.Errorf("%s %s: %q, %v", name, way, data, err)
				}
			case !errors.Is(err, ErrNotRegular):
				t.Errorf("%s %s: %q, %v", name, way, data, err)
			}
		}
	}
	if _, err := Read("/dev/zero", 4); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a device: %v", err)
	}
}

func TestNoMoreIsReadThanAllowed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "holes")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(1 << 40); err != nil {
		t.Skip(err)
	}
	if _, err := Read(path, MaxSize); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}
