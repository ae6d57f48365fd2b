(defun middle (l) (nth (floor (length l) 2) l))
(defun without (x l) (remove x l :count 1))
