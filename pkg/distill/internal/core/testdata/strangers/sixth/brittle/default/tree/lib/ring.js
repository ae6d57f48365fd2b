module.exports = class Ring {
  constructor (size) { this.size = size; this.items = [] }
  add (x) { this.items.push(x); if (this.items.length >= this.size) this.items.shift() }
  at (i) { return this.items[i % this.items.length] }
}
