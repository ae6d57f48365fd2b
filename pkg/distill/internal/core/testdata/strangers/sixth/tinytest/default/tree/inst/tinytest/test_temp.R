source("../../R/temp.R")

expect_equal(kelvin(0), 273.15)
expect_equal(mean_of(c(1, 3)), 2)
expect_equal(mean_of(c(1, NA, 3)), 2,
  info = "missing values are left out")
