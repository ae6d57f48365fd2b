// Package llm asks language models for text and tells what each answer cost.
//
// Words. A provider is a way of reaching models: one of the presets on the web,
// "exec" (a command: prompt in, reply out), or "replay" (a cassette of recorded
// replies). A protocol is how a server is spoken to: Chat Completions, Responses or
// Messages, each in a file of its own. A call is one [Client.Complete]; it consists
// of one or more tries, because passing faults are tried again inside it. A cassette
// is a file of replies, see docs/providers.md.
//
// A try goes through endpoint.go (which protocol, which settings), transport.go and
// frames.go (one request, clean JSON values), answer.go (a whole reply, or why not),
// usage.go and prices.go (what it cost), judge.go and overflow.go (what an error
// means and what fixes it), quirks.go (what the server does not accept); retry.go
// makes the next one.
//
// Promises. Complete returns promptly when its context ends, at whatever
// stage. It never waits without bound: for the answer to begin, between two
// pieces of it, and in all. What it keeps of an answer is bounded, and it reads
// no more of one than the output that was asked for. It never follows a redirect,
// so that a key goes only to the host that was named. A reply that ended early is
// never passed off as whole. Counts of tokens stand as the server told them. Errors
// are fault.Model (fault.Usage where the configuration is at fault) with a hint;
// [ErrContextLength] and [ErrRefused] are told apart by errors.Is. On an error the
// Reply still carries the usage of what was paid for until then.
//
// It is larger than a client of one protocol: a third of it is what servers answer
// beside replies, and each kind of that is tested with their own words.
//
// It is not a place for prompts, budgets or what to do with an answer, and it
// asks nobody for consent: whether a repository may name the endpoint is
// settled before.
package llm
