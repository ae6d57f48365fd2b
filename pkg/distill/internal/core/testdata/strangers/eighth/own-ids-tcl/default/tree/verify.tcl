source light.tcl
set bad 0
set n 0
proc verify {title script want} {
    global bad n
    incr n
    set got [uplevel #0 $script]
    if {$got eq $want} {
        puts [format "TC-%03d  %-32s PASS" $n $title]
    } else {
        incr bad
        puts [format "TC-%03d  %-32s FAIL  (%s gave %s, not %s)" $n $title $script $got $want]
    }
}
verify "Range of a low tower" {range 25} 15
verify "Flashes in a minute" {flashes 60 5} 12
verify "Red sector" {colour 45} red
verify "Dark sector" {colour 300} dark
puts ""
puts "Verified: $n  Deviations: $bad"
exit [expr {$bad > 0}]
