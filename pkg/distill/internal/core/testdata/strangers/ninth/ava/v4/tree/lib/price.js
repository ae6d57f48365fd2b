function total(items) {
  let sum = 0;
  for (const it of items) sum += it.price;
  return sum;
}
function label(user) {
  return user.name.toUpperCase();
}
module.exports = { total, label };
