source kiln.tcl
proc check {name want body} {
  if {[catch {uplevel #0 $body} have]} { puts "CRASH $name"; puts "   $::errorInfo"; incr ::bad; return }
  if {$have eq $want} { puts "FINE  $name" } else { puts "OFF   $name"; puts "   want: $want"; puts "   have: $have"; incr ::bad }
}
set bad 0
check "none is none" 0 {heat 0}
check "ten minutes" 100 {heat 10}
check "label" mug {label {colour red}}
puts "[expr {3 - $bad}] fine, $bad not"
exit [expr {$bad > 0}]
