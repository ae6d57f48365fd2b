module.exports = { mode: 'production', entry: './src/main.js' };
