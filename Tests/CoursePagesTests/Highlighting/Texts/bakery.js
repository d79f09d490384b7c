/* A bakery,
   in a script. */
import { readFile } from 'fs/promises';
import shop, * as tools from "./tools.js";

export class Oven extends Shop {
  #heat = 0;
  static count = 0x1F;

  constructor(name, { minutes = 45, ...rest } = {}) {
    super(name);
    this.minutes = minutes;
    Oven.count++;
  }

  get hot() { return this.#heat >= 220.5; }

  async *bake(loaves) {
    for await (const loaf of loaves) {
      if (!loaf || loaf.grams === null) continue;
      yield `${loaf.name}: ${loaf.grams / 1000} kg, ${loaf.seeds?.length ?? 0} seeds`;
    }
  }
}

// Names of loaves, and nothing else.
const pattern = /^[a-z/\]]+(?:\s\d{1,3})?$/gi;
const isName = (text) => pattern.test(text) && text !== 'none';
let price = 4e-1, total = 0, big = 123n, mask = 0b101 | 0o17;
var half = total / 2 / price;

function add(prices) {
  return prices.map(p => p * 1.05).reduce((a, b) => a + b, 0);
}

export default async function main(...args) {
  const data = JSON.parse(await readFile(args[0], "utf8"));
  switch (typeof data) {
    case 'object': break;
    default: throw new TypeError("no \"object\"");
  }
  try {
    delete data.old;
    if ('loaves' in data && data instanceof Object) console.log(add(data.prices));
    else do { total -= .5; } while (total > 0);
  } catch (error) {
    console.error(error.message, undefined, NaN);
  } finally {
    document.title = 'it\'s done';
  }
  const map = new Map([['rye', true], ['spelt', false]]);
  return map.size > 0 ? map : void 0;
}
