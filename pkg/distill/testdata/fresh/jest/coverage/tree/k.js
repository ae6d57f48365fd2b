exports.k = n => {
  if (n) {
    return 1;
  }
  return 2;
};
