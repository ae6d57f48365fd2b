exports.stops = (route) => route.split('-').length - 1;

exports.reverse = (route) => route.split('-').sort().join('-');

exports.fare = (zones) => {
  if (zones < 1) throw new RangeError('no zone');
  return zones * 120;
};
