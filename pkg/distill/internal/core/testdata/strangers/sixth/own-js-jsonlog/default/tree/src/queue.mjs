export class Queue {
  #items = [];
  push(x) { this.#items.push(x); return this; }
  pop() { return this.#items.pop(); }
  get length() { return this.#items.length; }
}
