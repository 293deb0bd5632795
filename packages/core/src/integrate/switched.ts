/**
 * An integrator that delegates to one of several. A cell of the input selects the active integrator, so that the
 * scenario can replace the integrator, or the plant that it integrates, in flight.
 *
 * A change of the cell is a discontinuity, so the new integrator needs no history.
 */
import type { SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import type { EventFinder, Integrator, IntegratorStats } from "./contract.ts";

interface SwitchedIntegratorParts {
  /** The input, and the index of the cell that selects the integrator. */
  readonly u: Float64Array;
  readonly maskAt: number;
  /** Maps the value of the cell to the part of it that selects the integrator. */
  readonly relevant: (mask: number) => number;
  readonly make: (relevant: number) => Integrator;
  /** The largest memory of any integrator that `make` may return. */
  readonly memorySize: number;
}

export class SwitchedIntegrator implements Integrator {
  readonly memorySize: number;
  private readonly parts: SwitchedIntegratorParts;
  private readonly total: TotalStats;
  private current: Integrator;
  /** The cell's value when it was last read, and the part of it that selected `current`. */
  private mask = 0;
  private relevantMask = 0;

  constructor(parts: SwitchedIntegratorParts) {
    this.parts = parts;
    this.current = parts.make(0);
    this.memorySize = parts.memorySize;
    this.total = new TotalStats(this.current.stats);
  }

  get stats(): IntegratorStats {
    return this.total.view;
  }

  get order(): number {
    return this.current.order;
  }

  get isValid(): boolean {
    return this.current.isValid === true;
  }

  get isClearOfEvents(): boolean {
    return this.current.isClearOfEvents === true;
  }

  advance(span: Float64Array, x: Float64Array, finder?: EventFinder): boolean {
    return this.active().advance(span, x, finder);
  }

  restart(): void {
    this.current.restart();
  }

  saveInto(memory: Float64Array): void {
    this.active().saveInto(memory);
  }

  restoreFrom(memory: Float64Array): void {
    this.active().restoreFrom(memory);
  }

  /**
   * Saves only the memory of the active integrator. The input selects that integrator; a checkpoint contains the input
   * and loads it first.
   */
  save(writer: SnapshotWriter): void {
    this.current.save(writer);
  }

  load(reader: SnapshotReader): void {
    const { u, maskAt, relevant } = this.parts;
    this.mask = u[maskAt]!;
    this.replace(relevant(this.mask));
    this.current.load(reader);
  }

  private active(): Integrator {
    const { u, maskAt, relevant } = this.parts;
    if (u[maskAt]! !== this.mask) {
      this.mask = u[maskAt]!;
      const relevantMask = relevant(this.mask);
      if (relevantMask !== this.relevantMask) this.replace(relevantMask);
    }
    return this.current;
  }

  /** Always makes a new integrator, because one that was used before a checkpoint was loaded would have old history. */
  private replace(relevantMask: number): void {
    this.relevantMask = relevantMask;
    this.current = this.parts.make(relevantMask);
    this.total.add(this.current.stats);
  }
}

/**
 * The statistics of all integrators so far. The accessors are own properties, so that a spread copies the present
 * values.
 */
class TotalStats {
  readonly view: IntegratorStats;
  private readonly before = { evaluations: 0, accepted: 0, rejected: 0, seams: 0, forced: 0 };
  private current: IntegratorStats;

  constructor(first: IntegratorStats) {
    this.current = first;
    const accessors = Object.keys(this.before).map((key) => {
      const name = key as keyof IntegratorStats;
      return [
        name,
        {
          enumerable: true,
          get: () => this.before[name] + this.current[name],
          // The interval counts seams, and subtracts them when it integrates again.
          set: (count: number) => (this.current[name] = count - this.before[name]),
        },
      ] as const;
    });
    this.view = Object.defineProperties({}, Object.fromEntries(accessors)) as IntegratorStats;
  }

  add(next: IntegratorStats): void {
    for (const name of Object.keys(this.before) as (keyof IntegratorStats)[]) this.before[name] += this.current[name];
    this.current = next;
  }
}
