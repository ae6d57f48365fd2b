'use strict';

// Half a cent goes up.
function round(cents) {
  return Math.floor(cents);
}

module.exports = { round };
