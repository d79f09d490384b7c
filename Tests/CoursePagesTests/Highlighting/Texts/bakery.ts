#!/usr/bin/env node
// A bakery's day, in a file that has no other purpose than its colours.
import { readFile } from "node:fs/promises";
import type { Oven } from './oven';

export interface Bread {
  readonly name: string;
  grams: number;
  seeds?: string[];
  price(currency: Currency): number;
}

type Currency = "EUR" | "CHF";
enum State { Rising, Baking = 2, Done }

declare module Scales {
  export function weigh(loaf: Bread): number;
}

@Injectable()
export abstract class Bakery<T extends Bread> implements Shop {
  private static count = 0;
  #till: number = 0;
  protected loaves: Map<string, T> = new Map();

  constructor(public readonly oven: Oven, private name?: string) {
    super();
    Bakery.count += 1;
  }

  get open(): boolean {
    return this.loaves.size > 0 && !this.closed;
  }

  async bake(loaf: T, minutes = 40): Promise<void> {
    if (loaf.grams <= 0) throw new RangeError(`No dough for ${loaf.name}: ${loaf.grams * 1.0} g`);
    for (let minute = 0; minute < minutes; minute++) {
      await this.oven.tick(minute);
    }
    const found = /^[a-z/]+\/\d{2}$/i.test(loaf.name);
    this.loaves.set(loaf.name, found ? loaf : { ...loaf, seeds: [] });
  }

  sell(name: string): T | undefined {
    const loaf = this.loaves.get(name);
    if (loaf === undefined || loaf == null) return undefined;
    this.#till += loaf.price("EUR") ?? 0x1f;
    try {
      this.loaves.delete(name);
    } catch (error: unknown) {
      console.error((error as Error).message);
    } finally {
      delete this.cache?.[name];
    }
    return loaf;
  }

  protected abstract clean(): void;
}

/* Functions of functions. */
export const total = <T>(values: T[], of: (value: T) => number): number =>
  values.map(of).reduce((sum, next) => sum + next, 0);

export default function isState(value: any): value is State {
  switch (typeof value) {
    case "number":
      return value in State;
    default:
      return false;
  }
}

let days = new Set<number>([1, 2, 3e3]), pi = Math.PI / 2;
var label = 'it\'s done' as const;
while (days.size) { days.clear(); }
