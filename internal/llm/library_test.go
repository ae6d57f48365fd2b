package llm

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"
)

// TestFieldsTheLibraryDoesNotRead shows why streams are read by frames.go and
// stream.go and not by go-openai's own reader and types (decision 0016): each
// answer is one that servers send, and that booty reads. A case that passes here
// one day is code of ours that can go.
func TestFieldsTheLibraryDoesNotRead(t *testing.T) {
	const whole = `data: {"choices":[{"delta":{"content":"hello"}}]}` + "\n\n"
	for _, c := range []struct {
		name, stream string
		// why the library's answer cannot be used; empty: it can.
		why func(text string, err error) string
	}{
		{"text as a list of parts", `data: {"choices":[{"delta":{"content":[{"type":"text","text":"hello"}]}}]}` + "\n\ndata: [DONE]\n\n", lost},
		{"an end as a number", `data: {"choices":[{"delta":{"content":"hello"},"finish_reason":0}]}` + "\n\ndata: [DONE]\n\n", lost},
		{"a reply that is not streamed", `{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}]}`, lost},
		{"a frame over two lines", "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"hello\"}}]}\n\ndata: [DONE]\n\n", lost},
		{"five minutes of signs of life", strings.Repeat(": keep-alive\n\n", 400) + whole + "data: [DONE]\n\n", lost},
		{"an end in mid-reply", whole, func(_ string, err error) string {
			if errors.Is(err, io.EOF) {
				return "the end of the connection is taken for the end of the reply"
			}
			return ""
		}},
		{"an error in one word", `data: {"error":"overloaded"}` + "\n\n" + whole, func(_ string, err error) string {
			if err == nil || !strings.Contains(err.Error(), "overloaded") {
				return fmt.Sprintf("the server's error comes out as %v", err)
			}
			return ""
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, c.stream)
			}))
			defer server.Close()
			text, err := libraryReads(t, server.URL)
			why := c.why(text, err)
			if why == "" {
				t.Error("go-openai reads this now: our own reading of it can go")
			}
			t.Log(why)
		})
	}
}

// lost says why a reply that said hello is of no use as the library gives it.
func lost(text string, err error) string {
	if errors.Is(err, io.EOF) && text == "hello" {
		return ""
	}
	return fmt.Sprintf("%q, %v", text, err)
}

// libraryReads asks with go-openai alone and reads with its own types.
func libraryReads(t *testing.T, address string) (string, error) {
	t.Helper()
	conf := openai.DefaultConfig("key")
	conf.BaseURL = address
	stream, err := openai.NewClientWithConfig(conf).CreateChatCompletionStream(t.Context(), openai.ChatCompletionRequest{
		Model: "m", Messages: []openai.ChatCompletionMessage{{Role: "user", Content: "say hello"}},
	})
	if err != nil {
		return "", err
	}
	defer func() { _ = stream.Close() }()
	var text strings.Builder
	for {
		chunk, err := stream.Recv()
		if err != nil {
			return text.String(), err
		}
		for _, choice := range chunk.Choices {
			text.WriteString(choice.Delta.Content)
		}
	}
}

// TestFieldsTheLibraryDoesNotSend shows why some fields are added to the body on
// its way (request.go, decision 0016): go-openai refuses them by the model's name, which
// says nothing about a server that merely calls its model so.
func TestFieldsTheLibraryDoesNotSend(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}))
	defer server.Close()
	conf := openai.DefaultConfig("key")
	conf.BaseURL = server.URL
	for _, r := range []openai.ChatCompletionRequest{{Model: "o3-local", MaxTokens: 100}, {Model: "gpt-5-local", Temperature: 0.2}, {Model: "gpt-6-sol", ReasoningEffort: "minimal"}} {
		r.Messages = []openai.ChatCompletionMessage{{Role: "user", Content: "say hello"}}
		stream, err := openai.NewClientWithConfig(conf).CreateChatCompletionStream(t.Context(), r)
		if err == nil {
			_ = stream.Close()
			t.Errorf("%s: go-openai sends this now: it can go through its request", r.Model)
		}
		t.Logf("%s: %v", r.Model, err)
	}
	if asked > 0 {
		t.Errorf("%d requests reached the server", asked)
	}
}
