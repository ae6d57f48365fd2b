(require :asdf)
(let ((*error-output* (make-broadcast-stream))) (asdf:load-system :xlunit))
(load "src/dose.lisp")
(defpackage :dose-test (:use :cl :xlunit))
(in-package :dose-test)

(defclass dose-tests (test-case) ())

(def-test-method test-adult ((tc dose-tests) :run nil)
  (assert-equal 7 (cl-user::dose 70)))

(def-test-method test-rounding ((tc dose-tests) :run nil)
  (assert-equal 8 (cl-user::dose 79) "a started step counts"))

(def-test-method test-evening ((tc dose-tests) :run nil)
  (assert-true (equal '(8 20) (cl-user::schedule '(8 20))) "hours of the evening stay"))

(let ((result (textui-test-run (get-suite dose-tests))))
  (sb-ext:exit :code (if (was-successful result) 0 1)))
