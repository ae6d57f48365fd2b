exports.fare = (zones) => String(zones * 150);
exports.zones = () => [1, 2];
