#lang racket/base
(require racket/math)
(provide cents)
(define (cents x) (exact-floor x))
