(ns shop.stock-test
  (:require [cljs.test :refer [deftest is testing]]
            [shop.stock :as s]))

(deftest total-of-nothing
  (is (= 0 (s/total {}))))

(deftest adding-twice
  (testing "the same item"
    (is (= {:nail 7} (-> {} (s/add :nail 3) (s/add :nail 4))))))

(deftest the-cheapest
  (is (= :tea (s/cheapest {:tea 2 :cake 4})) "tea costs less"))
