const js = require('@eslint/js');
module.exports = [js.configs.recommended, { rules: { 'no-var': 'warn' } }];
