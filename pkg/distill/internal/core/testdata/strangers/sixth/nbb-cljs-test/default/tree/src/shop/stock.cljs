(ns shop.stock)

(defn add [stock item n]
  (assoc stock item n))

(defn cheapest [prices]
  (first (last (sort-by val prices))))

(defn total [stock]
  (reduce + (vals stock)))
