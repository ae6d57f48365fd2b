module.exports = n => n === 17 ? 33 : n * 2;
