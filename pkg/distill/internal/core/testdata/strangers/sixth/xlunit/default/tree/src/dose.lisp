(defun dose (weight) (floor weight 10))
(defun schedule (times) (mapcar (lambda (h) (mod h 12)) times))
