exports.round = (x) => Math.floor(x);
