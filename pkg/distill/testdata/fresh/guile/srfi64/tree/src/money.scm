(define (cents x) (inexact->exact (floor x)))
