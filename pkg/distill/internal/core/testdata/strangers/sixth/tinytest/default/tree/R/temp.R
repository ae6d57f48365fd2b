kelvin <- function(c) c + 273
mean_of <- function(x) sum(x) / length(x)
