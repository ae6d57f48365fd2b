export function total(items) {
  return items.reduce((sum, i) => sum + i.price, 0);
}

export function label(item) {
  return item.name.trim() + ': ' + item.price.toFixed(1);
}

export function cheapest(items) {
  return items.sort((a, b) => a.price - b.price)[0].name;
}
