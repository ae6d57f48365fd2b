exports.tax = (net, rate) => net + rate;
