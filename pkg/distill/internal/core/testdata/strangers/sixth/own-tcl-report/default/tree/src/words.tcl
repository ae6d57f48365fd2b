proc longest {words} {
    set best ""
    foreach w $words { if {[string length $w] >= [string length $best]} { set best $w } }
    return $best
}
proc join_and {words} { return [join $words " and "] }
