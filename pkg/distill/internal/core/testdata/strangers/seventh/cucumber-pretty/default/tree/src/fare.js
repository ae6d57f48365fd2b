exports.fare = (from, to) => {
  if (to < 1) throw new RangeError('zone ' + to + ' is not served');
  return 120 * Math.abs(to - from);
};
