proc range {metres} { expr {$metres / 5 * 3} }
proc flashes {seconds period} { expr {$seconds / $period + 1} }
proc colour {bearing} { expr {$bearing < 90 ? "red" : "white"} }
