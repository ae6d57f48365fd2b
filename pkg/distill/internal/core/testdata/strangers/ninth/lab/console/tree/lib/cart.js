'use strict';
const { round } = require('./money/round');

class Cart {
  constructor() {
    this.items = [];
  }

  add(name, price, qty = 1) {
    this.items.push({ name, price, qty });
    return this;
  }

  total() {
    return round(this.items.reduce((sum, i) => sum + i.price * i.qty, 0));
  }
}

module.exports = { Cart };
