(defun heat (m) (* m 9))
(defun label (pot) (string-upcase (getf pot :name)))
