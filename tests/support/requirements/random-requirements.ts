/**
 * Random requirements over two signals and two events, with times of a few microseconds so that edges coincide often.
 */
import { RandomStream } from "../../../packages/core/src/random/index.ts";
import type { HeldFlight } from "./held-signals.ts";

export class RandomRequirements {
  private readonly random: RandomStream;

  constructor(seed: number) {
    this.random = new RandomStream(seed, "requirements");
  }

  flight(): HeldFlight {
    const timesUs = [0];
    while (timesUs.length < 9) timesUs.push(timesUs.at(-1)! + 1 + this.below(4));
    const values = () => timesUs.map(() => this.below(5) - 2);
    const happenings = () => timesUs.filter(() => this.below(4) === 0);
    return {
      timesUs,
      signals: { x: { unit: "", values: values() }, y: { unit: "", values: values() } },
      events: { kick: happenings(), bump: happenings() },
    };
  }

  text(): string {
    const formula = this.formula(2);
    switch (this.below(10)) {
      case 0:
        return `always ${formula}`;
      case 1:
        return `never (${formula})`;
      case 2:
        return `eventually (${formula}) during ${this.span()}`;
      case 3:
        return `at ${this.time(20)}: ${formula}`;
      case 4:
        return `within ${this.time(6)} after ${this.event()}: ${formula}`;
      case 5:
        return `from ${this.spanWords()} after ${this.event()}: ${formula}`;
      case 6:
        return `after ${this.event()}: always ${formula}`;
      case 7:
        return `before ${this.event()}: never (${formula})`;
      case 8:
        return `while ${this.predicate()}: eventually (${formula})`;
      default:
        return `while ${this.predicate()}: always (${formula})`;
    }
  }

  private formula(depth: number): string {
    if (depth === 0) return this.predicate();
    const inner = () => `(${this.formula(depth - 1)})`;
    switch (this.below(11)) {
      case 0:
        return `${inner()} and ${inner()}`;
      case 1:
        return `${inner()} or ${inner()}`;
      case 2:
        return `if ${inner()} then ${inner()}`;
      case 3:
        return `not ${inner()}`;
      case 4:
        return `within ${this.time(6)}: ${inner()}`;
      case 5:
        return `for ${this.time(6)}: ${inner()}`;
      case 6:
        return `from ${this.spanWords()}: ${inner()}`;
      case 7:
        return `once ${inner()} in the last ${this.time(6)}`;
      case 8:
        return `${this.below(2) === 0 ? "always" : "eventually"} ${inner()}`;
      case 9:
        return `${inner()} until ${inner()}${this.below(3) === 0 ? "" : ` within ${this.time(6)}`}`;
      default:
        return this.predicate();
    }
  }

  private predicate(): string {
    if (this.below(8) === 0) return this.below(2) === 0 ? "kick" : "bump";
    const comparator = [">", ">=", "<", "<="][this.below(4)]!;
    const number = this.below(5) - 2;
    return `${this.below(2) === 0 ? "x" : "y"} ${comparator} ${number}`;
  }

  private event(): string {
    return this.below(3) === 0 ? `(${this.predicate()})` : this.below(2) === 0 ? "kick" : "bump";
  }

  private span(): string {
    const from = this.below(12);
    return `${from} us..${from + this.below(12)} us`;
  }

  private spanWords(): string {
    const from = this.below(4);
    return `${from} us to ${from + this.below(5)} us`;
  }

  private time(limitUs: number): string {
    return `${this.below(limitUs)} us`;
  }

  /** Returns a random whole number from 0 to `limit` − 1. */
  below(limit: number): number {
    return Math.floor(this.random.uniform() * limit);
  }
}
