exports.label = (cents) => `${cents / 100} EUR`;
