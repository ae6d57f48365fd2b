package gate

import rego.v1

default allow := false

allow if input.ticket.zones > 1

allow if input.child
