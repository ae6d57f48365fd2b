package edit

// Option changes how [Parse] reads a reply.
type Option func(*parser)

// Complete says that the reply came to its end: the provider gave a reason why
// the model stopped, and it was not the limit of length. Then a last fence or
// patch that is not closed was merely forgotten, and its content counts.
func Complete() Option { return func(p *parser) { p.complete = true } }
