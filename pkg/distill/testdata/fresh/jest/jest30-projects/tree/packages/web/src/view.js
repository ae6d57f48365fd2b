const { tax } = require('../../core/src/tax');
exports.view = (net) => `Tax: ${tax(net, 0.1).toFixed(2)}`;
