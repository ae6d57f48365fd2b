// What an oven does.
exports.heat = (to) => (to > 250 ? 250 : to);
exports.minutes = (kg) => kg * 30;
exports.door = (oven) => oven.door.state;
