'use strict';

function label(user) {
  const name = user.name.trim();
  return name || 'anonymous';
}

module.exports = { label };
