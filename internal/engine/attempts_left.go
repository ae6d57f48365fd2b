package engine

import (
	"fmt"

	"github.com/booty-cli/booty/internal/fault"
)

// highestAttempts is the most that max_retries may be.
const highestAttempts = 10

// AttemptsLeft returns how many of most attempts are left after those that earlier runs of the task
// used. None left is an error; of names the task.
func AttemptsLeft(most, used int, of string) (int, error) {
	if left := most - used; left > 0 {
		return left, nil
	}
	hint := "--restart starts over"
	if used < highestAttempts {
		hint += fmt.Sprintf(", --max-retries %d allows one more", used+1)
	}
	return 0, fault.New(fault.Exhausted, hint, "%s", UsedUp(used, of))
}

// UsedUp is the message that n attempts are used up; of names the task, "" where it is obvious.
func UsedUp(n int, of string) string {
	if of != "" {
		of = " of " + of
	}
	switch n {
	case 1:
		return "the only attempt" + of + " is used up"
	case 2:
		return "both attempts" + of + " are used up"
	}
	return fmt.Sprintf("all %d attempts%s are used up", n, of)
}

// AttemptsAgain is how many attempts a resumed run may use: those left of most or, if none is left,
// as many more.
func (m *Memory) AttemptsAgain(most int) int {
	if left := most - m.Earlier; m.used() < left {
		return left
	}
	return m.used() + most
}
