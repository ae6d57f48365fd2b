#lang racket/base
(require rackunit "../src/money.rkt")
(test-case "whole"
  (check-equal? (cents 2.0) 2))
(test-case "half cents"
  (check-equal? (cents 7.5) 8 "goes up"))
