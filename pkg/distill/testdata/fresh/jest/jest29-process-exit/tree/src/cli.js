function leave(code) {
  process.exit(code);
}
module.exports = { leave };
