test.fold.even <- function() {
  checkEquals(c("ab", "cd"), fold("abcd", 2))
}

test.fold.rest <- function() {
  checkEquals(c("ab", "c"), fold("abc", 2))
}

test.shout.number <- function() {
  checkIdentical(1, shout(1))
}

test.shout <- function() {
  checkIdentical("HO", shout("ho"))
}
