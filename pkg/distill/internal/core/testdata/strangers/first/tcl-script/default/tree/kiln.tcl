proc heat {m} { expr {$m * 9} }
proc label {pot} { dict get $pot name }
