source [file join [file dirname [info script]] .. src words.tcl]
set total 0
set wrong {}
proc expect {id script want} {
    global total wrong
    incr total
    if {[catch {uplevel $script} have]} { lappend wrong $id "error: $have" $want } elseif {$have ne $want} { lappend wrong $id $have $want }
}
expect longest-of-one {longest {oak}} oak
expect longest-first-wins {longest {oak elm}} oak
expect join-two {join_and {oak elm}} "oak and elm"
expect join-three {join_and {oak elm ash}} "oak, elm and ash"
if {[llength $wrong]} {
    puts "Discrepancies:"
    foreach {id have want} $wrong {
        puts "  * $id"
        puts "      returned   <$have>"
        puts "      instead of <$want>"
    }
}
puts "[expr {[llength $wrong] / 3}] discrepancies in $total expectations"
exit [expr {[llength $wrong] > 0}]
