exports.plural = (w) => w.endsWith('y') ? w.slice(0, -1) + 'ies' : w + 's';
exports.title = (s) => s.replace(/\b\w/g, (c) => c.toUpperCase());
