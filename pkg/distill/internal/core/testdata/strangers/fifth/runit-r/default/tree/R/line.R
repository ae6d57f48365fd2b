fold <- function(s, n) substring(s, seq(1, nchar(s), n), seq(n, nchar(s), n))
shout <- function(s) toupper(s)
