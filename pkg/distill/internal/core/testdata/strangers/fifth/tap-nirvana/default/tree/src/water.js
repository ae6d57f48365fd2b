exports.state = (c) => (c <= 0 ? 'ice' : c > 100 ? 'steam' : 'water');
exports.mix = (a, b) => ({ litres: a.litres + b.litres, heat: (a.heat + b.heat) / 2 });
