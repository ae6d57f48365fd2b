// Package llm asks language models for text and reports what each answer cost.
//
// Words. A provider is a way of reaching models: one of the presets on the web, "exec" (a
// command: prompt in, reply out), or "replay" (a cassette of recorded replies). A protocol
// is the API of a server: Chat Completions, Responses or Messages, each in its own file. A
// call is one [Client.Complete]. It consists of one or more tries, since it retries
// transient errors. A cassette is a file of replies, see docs/providers.md.
//
// A try goes through endpoint.go (which protocol, which settings), transport.go and
// frames.go (one request, clean JSON values), answer.go (a whole reply, or why not),
// usage.go and prices.go (what it cost), judge.go and overflow.go (what an error means and
// how to fix it), and quirks.go (what the server does not accept). retry.go makes the next
// one.
//
// Promises. Complete returns promptly when its context ends, at any stage. Every wait is
// bounded: for the start of the answer, between two pieces of it, and in total. What it
// keeps of an answer is bounded by the output that was asked for. It never follows a
// redirect, so a key goes only to the configured host. A reply that ended early is never
// returned as whole. Token counts are those of the server. Errors are fault.Model
// (fault.Usage for configuration errors) with a hint; use errors.Is for [ErrContextLength]
// and [ErrRefused]. On an error the Reply still carries the usage so far.
//
// It is larger than a client of one protocol: a third of it deals with what servers send
// besides replies, and each kind of that is tested with their own texts.
//
// It handles no prompts and no budgets, and does not interpret answers. Whether a
// repository may name the endpoint is decided elsewhere.
package llm
