source("../../R/temp.R")
expect_true(is.numeric(kelvin(1)))
expect_error(kelvin(-1))
