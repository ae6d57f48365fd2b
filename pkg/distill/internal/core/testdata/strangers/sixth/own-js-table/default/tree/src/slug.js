exports.slug = (s) => s.toLowerCase().replace(/[^a-z]+/g, '-');
exports.initials = (s) => s.split(' ').map((w) => w[0]).join('');
exports.count = (s) => s.split(' ').length;
