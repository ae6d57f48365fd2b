area <- function(r) r * 2 * pi
