package check

import "slices"

// orders are the flags by which runners run their tests in another order. starts
// are the words that their commands begin with.
var orders = []struct {
	starts [][]string
	flags  []string
	unless []string
}{
	{[][]string{{"go", "test"}}, []string{"-shuffle=on"}, []string{"-shuffle", "--shuffle", "-C", "--C", "-json", "-c", "-n"}},
	{[][]string{{"vitest", "run"}, {"npx", "vitest", "run"}, {"yarn", "vitest", "run"}, {"pnpm", "vitest", "run"},
		{"pnpm", "exec", "vitest", "run"}, {"bunx", "vitest", "run"}}, []string{"--sequence.shuffle"}, []string{"--sequence.shuffle"}},
	{[][]string{{"rspec"}, {"bundle", "exec", "rspec"}, {"bin/rspec"}}, []string{"--order", "random"}, []string{"--order", "--seed"}},
	{[][]string{{"phpunit"}, {"vendor/bin/phpunit"}, {"./vendor/bin/phpunit"}}, []string{"--order-by=random"}, []string{"--order-by"}},
	{[][]string{{"ctest"}}, []string{"--schedule-random"}, []string{"--schedule-random"}},
	{[][]string{{"prove"}}, []string{"--shuffle"}, []string{"-s", "--shuffle", "--state"}},
}

// shuffled gives a test command that runs its tests in another order, the command
// itself where its runner cannot or the command is not plain enough.
func shuffled(dir, command string) string {
	list, ok := words(command)
	if !ok {
		return command
	}
	var env []string
	for len(list) > 0 && assignment().MatchString(list[0]) {
		env, list = append(env, list[0]), list[1:]
	}
	out, ok := inOtherOrder(list)
	if script, separator, is := packageScript(dir, list); is {
		built, can := inOtherOrder(script)
		if ok = can && slices.Equal(built[:len(script)], script); ok { // the flags go behind
			out = slices.Concat(list, separator, built[len(script):])
		}
	}
	if !ok {
		return command
	}
	quoted, ok := quoteAll(slices.Concat(env, out))
	if !ok {
		return command
	}
	return quoted
}

// inOtherOrder puts the flags right behind the words that name the runner.
func inOtherOrder(list []string) ([]string, bool) {
	for _, o := range orders {
		for _, start := range o.starts {
			if len(list) < len(start) || !slices.Equal(list[:len(start)], start) || has(list, o.unless...) {
				continue
			}
			if len(list) == len(start) {
				return append(slices.Clone(list), o.flags...), true
			}
			return slices.Concat(start, o.flags, list[len(start):]), true
		}
	}
	return nil, false
}
