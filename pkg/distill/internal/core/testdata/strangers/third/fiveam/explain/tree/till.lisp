(defun total (items) (reduce #'+ (mapcar #'car items)))
(defun change (paid due)
  (when (< paid due) (error "paid too little: ~a" paid))
  (- paid due))
