const { Given, When, Then } = require('@cucumber/cucumber');
const assert = require('assert');
const { fare } = require('../../src/fare');

Given('a tram in zone {int}', function (zone) {
  this.from = zone;
});

When('I ride to zone {int}', function (zone) {
  this.price = fare(this.from, zone);
});

Then('I pay {int}', function (price) {
  assert.strictEqual(this.price, price);
});

Then('I am told {string}', function (words) {
  assert.strictEqual(this.price, words);
});
