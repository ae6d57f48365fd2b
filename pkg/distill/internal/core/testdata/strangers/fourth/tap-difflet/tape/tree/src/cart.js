// A cart of items with a price in cents.
function total(items) {
  return items.reduce((sum, i) => sum + i.price, 0);
}
function first(items) {
  return items[0].name.toUpperCase();
}
function parcel(weight) {
  if (weight > 30) throw new RangeError('too heavy: ' + weight + ' kg');
  return 'box';
}
module.exports = { total, first, parcel };
