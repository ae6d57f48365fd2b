package check

import "slices"

// telling gives a test command with a flag more that makes its runner name
// every test, so that the tests that ran can be counted: a plain "go test" says
// of a package only that it passed, and it says so too where nothing ran. It
// gives "" where the command tells already, or is more than one runner's call.
func telling(command string) string {
	list, ok := words(command)
	if !ok {
		return ""
	}
	var env []string
	for len(list) > 0 && assignment().MatchString(list[0]) {
		env, list = append(env, list[0]), list[1:]
	}
	if len(list) < 2 || list[0] != "go" || list[1] != "test" ||
		has(list, "-v", "--v", "-test.v", "-json", "--json", "-list", "--list", "-c", "--c", "-n", "--n", "-x",
			"-C", "--C", "-h", "-help", "--help") {
		return ""
	}
	out, ok := quoteAll(slices.Concat(env, list[:2], []string{"-v"}, list[2:]))
	if !ok {
		return ""
	}
	return out
}
