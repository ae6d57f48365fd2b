package engine

import (
	"fmt"

	"github.com/booty-cli/booty/internal/fault"
)

// HighestAttempts is the most that max_retries may be.
const HighestAttempts = 10

// AttemptsLeft is how many attempts a task has left of most, where earlier runs
// have used some. None left is an error; of names what they were made for.
func AttemptsLeft(most, used int, of string) (int, error) {
	if left := most - used; left > 0 {
		return left, nil
	}
	hint := "--restart begins anew"
	if used < HighestAttempts {
		hint += fmt.Sprintf(", --max-retries %d allows one more", used+1)
	}
	if used == 1 {
		return 0, fault.New(fault.Exhausted, hint, "the only attempt of %s is used up", of)
	}
	return 0, fault.New(fault.Exhausted, hint, "all %d attempts of %s are used up", used, of)
}

// AttemptsAgain is how many attempts a run may use that is taken up again: what it
// has of most, or, where those are used up, as many more.
func (m *Memory) AttemptsAgain(most int) int {
	if left := most - m.Earlier; m.used() < left {
		return left
	}
	return m.used() + most
}
