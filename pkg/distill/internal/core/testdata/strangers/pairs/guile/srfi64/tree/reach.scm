(define (reach a b) (- a b))
