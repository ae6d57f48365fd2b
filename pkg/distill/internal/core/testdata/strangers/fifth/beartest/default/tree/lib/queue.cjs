class Line {
  constructor(max) { this.max = max; this.people = []; }
  join(who) { if (this.people.length > this.max) throw new Error('the line is full'); this.people.push(who); }
  next() { return this.people.shift().toUpperCase(); }
}
module.exports = { Line };
