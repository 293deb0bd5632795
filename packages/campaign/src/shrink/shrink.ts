/**
 * Simplifies a violating flight while it still violates: drops parts that are not needed, makes numbers milder and
 * rounder, and shortens the flight. A flight always gives the same result, so one trial per step is enough.
 *
 * Unless the limit on flights is reached first, the resulting flight is 1-minimal: the requirement holds if any one
 * part is left out, or if any one number moves by a unit of its last digit towards its neutral value.
 */
import { ddmin } from "@escapement/core";
import { roundings, stepTowards } from "./rounding.ts";

/** A number that may become milder and rounder. */
export interface ShrinkNumber {
  readonly name: string;
  /** The part that it belongs to. */
  readonly part: string;
  readonly value: number;
  /** Value at which the number has no effect: the value in the base flight, or 0 for amplitudes and 1 for gains. */
  readonly neutral: number;
  /** The plan's range, which rounding must not leave. */
  readonly min: number;
  readonly max: number;
}

/** A flight that a problem can build and fly. */
export interface Candidate {
  /** Parts that are kept. */
  readonly parts: readonly string[];
  /** Values of the numbers of kept parts. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Simplifications that are applied. */
  readonly simplifications: readonly string[];
  /** End of the flight; undefined for the end of the original. */
  readonly endUs: number | undefined;
}

export interface ShrinkProblem {
  /** Parts that can be dropped: first scenario events, then varied keys, which get the base flight's value. */
  readonly events: readonly string[];
  readonly keys: readonly string[];
  readonly numbers: readonly ShrinkNumber[];
  /** End of the original flight's timeline. */
  readonly endUs: number;
  /** Simplifications to try, in this order: no turbulence, an ideal estimator, seed 1. */
  readonly simplifications: readonly string[];
  /**
   * Flies a candidate. Returns the instant of the violation, or undefined if the requirement holds or the flight is
   * invalid.
   */
  violationUs(candidate: Candidate): number | undefined;
}

interface Shrunk {
  readonly candidate: Candidate;
  readonly flights: number;
  /** False if the limit on flights was reached before shrinking was finished. */
  readonly isMinimal: boolean;
}

/** Flight time that is kept after the violation. */
const AFTER_US = 500_000;
/**
 * Maximum number of times that a number's distance to its neutral value is halved. More halvings would be finer than
 * the rounding that follows.
 */
const HALVINGS = 5;

/** Shrinks a violating flight; undefined if the original does not violate. */
export function shrink(problem: ShrinkProblem, most = 300): Shrunk | undefined {
  const shrinker = new Shrinker(problem, most);
  return shrinker.run();
}

class Shrinker {
  private readonly problem: ShrinkProblem;
  private readonly most: number;
  private readonly known = new Map<string, number | undefined>();
  private current: Candidate;
  private flights = 0;
  private isLimitReached = false;

  constructor(problem: ShrinkProblem, most: number) {
    this.problem = problem;
    this.most = most;
    const { events, keys, numbers } = problem;
    this.current = {
      parts: [...events, ...keys],
      numbers: new Map(numbers.map(({ name, value }) => [name, value])),
      simplifications: [],
      endUs: undefined,
    };
  }

  run(): Shrunk | undefined {
    if (this.violationUs(this.current) === undefined) return undefined;
    this.simplify();
    this.eachNumber((number) => this.makeMilder(number));
    this.eachNumber((number) => this.makeRounder(number));
    // A change may make another change possible. Single steps are enough from here on, and need few flights.
    for (let before = ""; before !== keyOf(this.current);) {
      before = keyOf(this.current);
      this.eachNumber((number) => this.stepMilder(number));
      this.simplify();
    }
    return {
      candidate: this.withoutDroppedNumbers(this.current),
      flights: this.flights,
      isMinimal: !this.isLimitReached,
    };
  }

  /** Drops parts, applies simplifications (which may make numbers unnecessary), and ends the flight earlier. */
  private simplify(): void {
    this.drop(this.problem.events);
    this.drop(this.problem.keys);
    for (const name of this.problem.simplifications) this.applySimplification(name);
    this.makeShorter();
  }

  /** Drops all of the parts if possible, and otherwise as many as delta debugging finds. */
  private drop(parts: readonly string[]): void {
    const others = this.current.parts.filter((part) => !parts.includes(part));
    const own = this.current.parts.filter((part) => parts.includes(part));
    if (own.length === 0) return;
    const withParts = (kept: readonly string[]) => ({ ...this.current, parts: [...others, ...kept] });
    if (this.accept(withParts([]))) return;
    const kept = ddmin(own, (part) => this.violationUs(withParts(part)) !== undefined);
    this.accept(withParts(kept));
  }

  private eachNumber(act: (number: ShrinkNumber) => void): void {
    for (const number of this.problem.numbers) if (this.current.parts.includes(number.part)) act(number);
  }

  /** Sets a number to its neutral value, or halves the distance to it as long as the flight violates. */
  private makeMilder({ name, neutral }: ShrinkNumber): void {
    if (this.valueOf(name) === neutral || this.accept(this.withNumber(name, neutral))) return;
    let holding = neutral;
    for (let i = 0; i < HALVINGS; i += 1) {
      const middle = holding + (this.valueOf(name) - holding) / 2;
      if (middle === holding || middle === this.valueOf(name)) return;
      if (!this.accept(this.withNumber(name, middle))) holding = middle;
    }
  }

  /**
   * Rounds a number to the fewest digits with which the flight violates. Of two roundings, it tries the milder one
   * first.
   */
  private makeRounder({ name, neutral, min, max }: ShrinkNumber): void {
    for (const rounded of roundings(this.valueOf(name), neutral)) {
      if (rounded === this.valueOf(name)) return;
      if (rounded >= min && rounded <= max && this.accept(this.withNumber(name, rounded))) return;
    }
  }

  /** Moves a number by units of its last digit towards its neutral value as long as the flight violates. */
  private stepMilder({ name, neutral }: ShrinkNumber): void {
    for (;;) {
      const next = stepTowards(this.valueOf(name), neutral);
      if (next === undefined || !this.accept(this.withNumber(name, next))) return;
    }
  }

  private makeShorter(): void {
    const atUs = this.violationUs(this.current);
    if (atUs === undefined) return;
    // Whole tenths of a second read better than the exact instant.
    const endUs = Math.ceil((atUs + AFTER_US) / 100_000) * 100_000;
    if (endUs < (this.current.endUs ?? this.problem.endUs)) this.accept({ ...this.current, endUs });
  }

  private applySimplification(name: string): void {
    const { simplifications } = this.current;
    if (!simplifications.includes(name)) this.accept({ ...this.current, simplifications: [...simplifications, name] });
  }

  private valueOf(name: string): number {
    return this.current.numbers.get(name)!;
  }

  private withNumber(name: string, value: number): Candidate {
    return { ...this.current, numbers: new Map([...this.current.numbers, [name, value]]) };
  }

  private accept(candidate: Candidate): boolean {
    const isViolating = this.violationUs(candidate) !== undefined;
    if (isViolating) this.current = candidate;
    return isViolating;
  }

  /** Flies each candidate once. After the limit on flights, every candidate counts as holding. */
  private violationUs(candidate: Candidate): number | undefined {
    const key = keyOf(this.withoutDroppedNumbers(candidate));
    if (this.known.has(key)) return this.known.get(key);
    if (this.flights >= this.most) {
      this.isLimitReached = true;
      return undefined;
    }
    this.flights += 1;
    const found = this.problem.violationUs(this.withoutDroppedNumbers(candidate));
    this.known.set(key, found);
    return found;
  }

  /** Returns a candidate without the numbers of dropped parts. */
  private withoutDroppedNumbers(candidate: Candidate): Candidate {
    const kept = this.problem.numbers.filter(({ part }) => candidate.parts.includes(part));
    return { ...candidate, numbers: new Map(kept.map(({ name }) => [name, candidate.numbers.get(name)!])) };
  }
}

function keyOf({ parts, numbers, simplifications, endUs }: Candidate): string {
  return JSON.stringify([parts, [...numbers], simplifications, endUs ?? null]);
}
