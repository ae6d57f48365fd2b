package pullrequest

// Options are the command line's options for the work on GitHub.
type Options struct {
	// PR is auto, draft, none or "".
	PR string
	// Restart starts over, DryRun changes nothing.
	Restart, DryRun bool
	// Alone skips an issue with an open pull request by others, or with an earlier final
	// result.
	Alone bool
	// Branch is the wanted branch name, "" for the default.
	Branch string
	// UserAgent identifies booty to GitHub.
	UserAgent string
}

// publishes reports whether a task that is not from GitHub gets a pull request.
func (o Options) publishes() bool { return !o.DryRun && o.PR != "" && o.PR != "none" }
