(require :asdf)
(asdf:load-system :rt)
(load "till.lisp")

(rtest:deftest adds-quantities (total '((100 3))) 300)
(rtest:deftest gives-change (change 10 4) 6)
(rtest:deftest all-paid (change 4 4) :thanks)
(unless (rtest:do-tests) (sb-ext:exit :code 1))
