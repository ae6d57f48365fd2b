<?php
class Till {
    function total(array $items) { return array_sum(array_column($items, 'cents')); }
    function change(int $paid, int $due) {
        if ($paid < $due) throw new DomainException("paid too little: $paid");
        return $paid - $due;
    }
}
