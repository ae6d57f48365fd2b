(define (reach metres) (* 3 (quotient metres 5)))
(define (flashes seconds period) (+ 1 (quotient seconds period)))
(define (colour bearing)
  (if (> bearing 180) (error "no bearing" bearing) (if (< bearing 90) 'red 'white)))
