cents <- function(x) {
  floor(x)
}

label <- function(u) {
  stop("no name for user")
}
