// Package llm asks language models for text and tells what each answer cost.
//
// Words. A provider is a way of reaching models: one of the presets that speak
// the OpenAI chat protocol, "exec" (a command: prompt in, reply out), or
// "replay" (a cassette of recorded replies). A call is one [Client.Complete];
// it consists of one or more tries, because passing faults are tried again
// inside it. A cassette is a file of replies, see docs/providers.md.
//
// Promises. Complete returns promptly when its context ends, at whatever
// stage. It never waits without bound: for the answer to begin, between two
// pieces of it, and in all. What it keeps of an answer is bounded. It never
// follows a redirect, so that a key goes only to the host that was named.
// A reply that ended early or is empty is never passed off as whole. Errors
// are fault.Model (fault.Usage where the configuration is at fault) with a hint; [ErrContextLength] and
// [ErrRefused] are told apart by errors.Is. On an error the Reply still
// carries the usage of what was paid for until then.
//
// It is not a place for prompts, budgets or what to do with an answer, and it
// asks nobody for consent: whether a repository may name the endpoint is
// settled before.
package llm
