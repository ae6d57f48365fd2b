import { cents } from './money.js';

// total gives the price of all items in cents, less the discount in percent.
export function total(items, discount = 0) {
  const sum = items.reduce((n, item) => n + cents(item.price) * item.quantity, 0);
  return sum - sum * discount / 100;
}
