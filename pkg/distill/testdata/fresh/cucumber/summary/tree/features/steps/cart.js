const assert = require('assert');
const { Given, When, Then } = require('@cucumber/cucumber');
const { Cart } = require('../../lib/cart');

Given('an empty cart', function () {
  this.cart = new Cart();
});

When('I add {int} teas of {float}', function (qty, price) {
  this.cart.add('tea', price, qty);
});

Then('the total is {int}', function (want) {
  assert.strictEqual(this.cart.total(), want);
});
