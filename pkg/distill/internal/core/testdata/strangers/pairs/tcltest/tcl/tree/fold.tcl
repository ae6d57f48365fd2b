proc fold n { expr {$n / 2} }
