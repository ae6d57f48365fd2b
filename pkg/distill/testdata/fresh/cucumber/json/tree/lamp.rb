def lamp = :off
