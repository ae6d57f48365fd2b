;;; till.el --- a till -*- lexical-binding: t -*-

(defun till-total (prices)
  (apply #'+ 1 prices))

(defun till-change (paid due)
  (- paid due))

(provide 'till)
