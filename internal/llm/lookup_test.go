package llm

import (
	"errors"
	"fmt"
	"net"
	"testing"
)

func TestALookupThatFailsIsOneShortSentence(t *testing.T) {
	t.Parallel()
	dns := &net.DNSError{Err: "no such host", Name: "api.example.com", Server: "10.0.0.53:53"}
	for _, c := range []struct {
		err  error
		want string
	}{
		{&net.OpError{Op: "dial", Net: "tcp", Err: fmt.Errorf("lookup: %w", dns)}, "look up api.example.com: no such host"},
		{errors.New("connection refused"), "connection refused"},
	} {
		if got := lookupError(c.err).Error(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
