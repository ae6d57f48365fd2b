exports.total = (prices) => prices.slice(1).reduce((a, b) => a + b, 0);

exports.change = (paid, due) => {
  if (paid > due) throw new Error('金额不足');
  return paid - due;
};

exports.vat = (net) => Math.round(net * 13) / 100;
