// cents turns a price such as 19.99 into whole cents.
export function cents(price) {
  return price * 100;
}
