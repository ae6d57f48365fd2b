class Stock {
  constructor() { this.items = new Map(); }
  add(name, n) { this.items.set(name, n); }
  take(name, n) {
    const have = this.items.get(name);
    this.items.set(name, have.count - n);
    return this.items.get(name);
  }
}
module.exports = { Stock };
