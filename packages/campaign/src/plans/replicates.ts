/**
 * How a plan with dependent points is divided into independent replicates.
 *
 * The points of one Sobol sequence or Latin hypercube depend on each other, so their scatter does not measure the error
 * of their mean. The scatter of the means of independently randomised replicates does. Flight k belongs to replicate k
 * mod R and is its point ⌊k / R⌋, so every prefix of the plan has points of all replicates.
 */
import { planErrors } from "./errors.ts";

const DEFAULT_REPLICATES = 16;
/** Minimum number of points per replicate; with fewer, the gain of dependent points is lost. */
const MIN_POINTS = 16;

export class Replicates {
  readonly count: number;
  private readonly flights: number;

  /** @param given number of replicates; by default 16 if each has at least 16 points, and 1 otherwise */
  constructor(flights: number, given?: number) {
    const count = given ?? (flights >= DEFAULT_REPLICATES * MIN_POINTS ? DEFAULT_REPLICATES : 1);
    if (!Number.isInteger(count) || count < 1 || count > flights) {
      throw planErrors.badCount({
        what: `${flights} flights cannot be divided into ${count} replicates`,
        where: { key: "plan.replicates" },
        fix: "write a whole number from 1 to the number of flights, or leave it out",
      });
    }
    this.flights = flights;
    this.count = count;
  }

  of(k: number): number {
    return k % this.count;
  }

  /** Returns the index of flight k's point in its replicate. */
  indexOf(k: number): number {
    return Math.floor(k / this.count);
  }

  /** Returns the number of points of a replicate. */
  sizeOf(replicate: number): number {
    return Math.ceil((this.flights - replicate) / this.count);
  }
}
