(load "light.lisp")
(defvar *failed* nil)
(defmacro deftest (name form want)
  `(handler-case
       (let ((got ,form))
         (if (equal got ,want)
             (format t ".")
             (progn (format t "F") (push (list ',name ',form got ,want) *failed*))))
     (error (e) (format t "E") (push (list ',name ',form e) *failed*))))

(deftest reach-of-a-low-tower (reach 25) 15)
(deftest flashes-in-a-minute (flashes 60 5) 12)
(deftest red-sector (colour 45) :red)
(deftest white-sector (colour 200) :white)

(terpri)
(dolist (f (reverse *failed*))
  (destructuring-bind (name form got &optional want) f
    (format t "~%~A~%  ~S~%" name form)
    (if want (format t "  => ~S, wanted ~S~%" got want) (format t "  signalled: ~A~%" got))))
(format t "~%~D tests did not pass~%" (length *failed*))
(ext:exit (if *failed* 1 0))
