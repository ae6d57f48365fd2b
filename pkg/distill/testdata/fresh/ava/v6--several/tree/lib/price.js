export function total(items) {
  let sum = 0;
  for (const i of items) sum += i.price;
  return sum;
}

export function label(user) {
  return user.name.toUpperCase();
}

export function parse(text) {
  return [text];
}

export function order(items) {
  return {first: items[0], count: items.length};
}
