package engine

import "github.com/booty-cli/booty/internal/event"

// reporter emits the events of a run. Each part that has something to report has one.
type reporter struct{ to event.Listener }

func (r reporter) emit(e event.Event) { r.to.Handle(e) }

func (r reporter) notice(level, message string) {
	r.emit(event.Notice{Level: level, Message: message})
}

// checkFinished emits a finished command.
func (r reporter) checkFinished(e event.CheckFinished) { r.emit(e) }
