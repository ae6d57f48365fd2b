exports.melts = function (heat) {
  return heat > 1000;
};
exports.label = function (pot) {
  return pot.name.toUpperCase();
};
