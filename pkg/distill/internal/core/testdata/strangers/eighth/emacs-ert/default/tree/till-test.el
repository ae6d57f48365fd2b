;;; till-test.el -*- lexical-binding: t -*-
(require 'ert)
(require 'till)

(ert-deftest till-adds-prices ()
  (should (equal (till-total '(2 3)) 5)))

(ert-deftest till-gives-change ()
  (should (= (till-change 10 7) 3)))

(ert-deftest till-has-a-drawer ()
  (should (till-open-drawer)))
