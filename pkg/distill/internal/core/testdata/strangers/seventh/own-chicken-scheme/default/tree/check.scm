(import (chicken condition) (chicken format))
(load "light.scm")

(define bad 0)
(define-syntax check
  (syntax-rules (=>)
    ((_ name expr => want)
     (let ((got (call/cc (lambda (k)
                  (with-exception-handler
                    (lambda (e) (k (get-condition-property e 'exn 'message 'unknown)))
                    (lambda () expr))))))
       (if (equal? got want)
           (printf ";; ~A -> correct~%" name)
           (begin (set! bad (+ bad 1))
                  (printf ";; ~A -> *** WRONG ***~%;;     ~S~%;;     gave ~S, not ~S~%" name 'expr got want)))))))

(check "reach of a low tower" (reach 25) => 15)
(check "flashes in a minute" (flashes 60 5) => 12)
(check "red sector" (colour 45) => 'red)
(check "white sector" (colour 200) => 'white)
(printf ";; ~A wrong~%" bad)
(exit (if (= bad 0) 0 1))
