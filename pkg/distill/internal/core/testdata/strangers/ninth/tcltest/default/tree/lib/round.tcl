proc round_cents {x} {
    return [expr {int($x)}]
}
