(define (heat m) (* m 9))
