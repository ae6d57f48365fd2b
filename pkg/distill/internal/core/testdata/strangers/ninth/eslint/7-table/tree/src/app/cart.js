import { round } from './money.js';

export function total(items) {
  var sum = 0;
  for (const item of items) {
    sum += item.price * itm.qty;
  }
  const unused = 3;
  return round(sum);
}
