(define (total items) (apply + (map first items)))
(define (change paid due) (if (< paid due) (throw-error (string "paid too little: " paid)) (- paid due)))
