package cli

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/booty-cli/booty/internal/fault"
)

func TestAReadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	silent, writer := io.Pipe()
	defer writer.Close()
	r := &interruptible{ctx: ctx, in: silent}
	go cancel()
	if _, err := io.ReadAll(r); fault.KindOf(err) != fault.Interrupted {
		t.Errorf("got %v", err)
	}
}

func TestAnInterruptibleInputGivesWhatItReads(t *testing.T) {
	want := strings.Repeat("0123456789\n", 20_000)
	for name, in := range map[string]io.Reader{
		"whole": strings.NewReader(want), "halves": iotest.HalfReader(strings.NewReader(want)), "end with data": iotest.DataErrReader(strings.NewReader(want)),
	} {
		got, err := io.ReadAll(&interruptible{ctx: t.Context(), in: in})
		if err != nil || !bytes.Equal(got, []byte(want)) {
			t.Errorf("%s: got %d bytes, %v", name, len(got), err)
		}
	}
}
