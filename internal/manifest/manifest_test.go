package manifest

import "testing"

func TestLockFilesFollowTheirManifests(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lock, manifest string
		want           bool
	}{
		{"package-lock.json", "package.json", true},
		{"package-lock.json", "packages/a/package.json", true},
		{"packages/a/package-lock.json", "packages/a/package.json", true},
		{"packages/a/package-lock.json", "package.json", false},
		{"packages/a/package-lock.json", "packages/ab/package.json", false},
		{"go.sum", "go.mod", true},
		{"go.sum", "package.json", false},
		{"Gemfile.lock", "thing.gemspec", true},
		{"requirements.txt", "requirements.in", true},
		{"src/main.go", "go.mod", false},
	} {
		if got := Follows(c.lock, c.manifest); got != c.want {
			t.Errorf("%s follows %s: got %t", c.lock, c.manifest, got)
		}
	}
}

func TestInputsOfASetup(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]bool{
		"package.json": true, "a/b/Cargo.lock": true, ".nvmrc": true, "requirements-dev.txt": true, "app.csproj": true,
		"main.go": false, "README.md": false, "package.json.bak": false,
	} {
		if got := Input(p); got != want {
			t.Errorf("%s: got %t", p, got)
		}
	}
	if Is("go.sum") || !IsLock("go.sum") || IsLock("go.mod") || !Is("go.mod") {
		t.Error("manifests and lock files are told apart")
	}
}
