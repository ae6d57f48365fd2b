;;; test-till.el -*- lexical-binding: t -*-
(require 'buttercup)
(require 'till)

(describe "A till"
  (it "adds prices"
    (expect (till-total '(2 3)) :to-equal 5))
  (describe "with money in it"
    (it "gives change"
      (expect (till-change 10 7) :to-be 3))
    (it "opens its drawer"
      (expect (till-open-drawer) :to-be t))))
