test_that("whole", {
  expect_equal(cents(2), 2)
})

test_that("half cents go up", {
  expect_equal(cents(7.5), 8)
})

test_that("labels", {
  expect_equal(label(1), "x")
})

test_that("later", {
  skip("not yet")
})
