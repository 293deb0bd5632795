/**
 * Lets an action run once per period, at the first call of `isDue` in the period. Periods start at multiples of their
 * length.
 */
export class PeriodGate {
  private readonly periodUs: number;
  private readonly dueUs = new Float64Array(1);

  /** With a period of 0, the action is due at every call. */
  constructor(periodUs: number) {
    this.periodUs = periodUs;
  }

  isDue(nowUs: number): boolean {
    if (nowUs < this.dueUs[0]!) return false;
    this.dueUs[0] = this.periodUs > 0 ? (Math.floor(nowUs / this.periodUs) + 1) * this.periodUs : nowUs;
    return true;
  }
}
