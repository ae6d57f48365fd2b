(ns run
  (:require [cljs.test :as t]
            [shop.stock-test]))

(defmethod t/report [:cljs.test/default :end-run-tests] [m]
  (when-not (t/successful? m) (set! (.-exitCode js/process) 1)))

(t/run-tests 'shop.stock-test)
