x <- tinytest::run_test_dir("inst/tinytest", color = FALSE)
print(x)
quit(status = as.integer(any(!as.logical(x))))
