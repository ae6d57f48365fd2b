var assert = require('assert');
var route = require('../src/route');

module.exports = {
  'counts its stops': function () {
    assert.equal(3, route.stops('a-b-c'));
  },
  'can be reversed': function () {
    assert.equal(route.reverse('b-c-a'), 'a-c-b');
  },
  'the fare grows': function () {
    assert.ok(route.fare(2) > route.fare(1));
  }
};
