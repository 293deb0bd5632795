/** The flights to fly next: those of a plan in the order of their numbers, or the generations of a search. */
import type { Row } from "@escapement/formats";
import type { Plan, Search } from "../contracts.ts";
import type { FlightOrder } from "../fly/one.ts";
import type { Checkpoints } from "../fly/particle.ts";
import { orderOf } from "../search/flown-points.ts";
import { isSearch } from "../spec/make-plan.ts";

/** Which numbers of a plan to fly. */
export interface NumberRange {
  readonly from: number;
  /** Not included. */
  readonly to: number;
  readonly shard?: { readonly index: number; readonly count: number };
}

/** Returns the numbers of a range as an arithmetic sequence: `first`, `first + step` and so on, below `end`. */
export function numbersOf(
  { from, to, shard = { index: 0, count: 1 } }: NumberRange,
  flights: number,
): { readonly first: number; readonly end: number; readonly step: number } {
  // The first number from `from` on that belongs to the shard.
  const first = from + ((((shard.index - from) % shard.count) + shard.count) % shard.count);
  return { first, end: Math.min(to, flights), step: shard.count };
}

export interface Orders {
  /** The next flight without a row; undefined if there is none at present. */
  next(): FlightOrder | undefined;
  /** Accepts a row. Rows from the journal or the cache have no checkpoints. */
  accept(row: Row, checkpoints?: Checkpoints): void;
  /** True if no more flights will be requested. */
  readonly isOver: boolean;
}

export function ordersOf(plan: Plan | Search, range: NumberRange, hasRow: (k: number) => boolean): Orders {
  return isSearch(plan) ? new SearchOrders(plan) : new PlanOrders(plan, range, hasRow);
}

class PlanOrders implements Orders {
  private readonly hasRow: (k: number) => boolean;
  private readonly step: number;
  private readonly end: number;
  private k: number;

  constructor({ count }: Plan, range: NumberRange, hasRow: PlanOrders["hasRow"]) {
    this.hasRow = hasRow;
    const { first, end, step } = numbersOf(range, count);
    this.step = step;
    this.end = end;
    this.k = first;
  }

  get isOver(): boolean {
    while (this.k < this.end && this.hasRow(this.k)) this.k += this.step;
    return this.k >= this.end;
  }

  next(): FlightOrder | undefined {
    if (this.isOver) return undefined;
    const { k } = this;
    this.k += this.step;
    return { k };
  }

  accept(): void {}
}

/**
 * Requests the next generation when all rows of the present one have arrived. A resumed search first receives the rows
 * of the journal.
 */
class SearchOrders implements Orders {
  private isAtEnd = false;
  private readonly search: Search;
  private readonly rows = new Map<number, Row>();
  /** Checkpoints of the flights from which the search can still branch. */
  private readonly checkpoints = new Map<number, Checkpoints>();
  private generation: readonly number[] = [];
  private waiting: number[] = [];

  constructor(search: Search) {
    this.search = search;
  }

  next(): FlightOrder | undefined {
    this.advance();
    const k = this.waiting.shift();
    if (k === undefined) return undefined;
    return this.withCheckpoint(orderOf(this.search, k));
  }

  accept(row: Row, checkpoints?: Checkpoints): void {
    this.rows.set(row.k, row);
    if (checkpoints !== undefined) this.checkpoints.set(row.k, checkpoints);
  }

  get isOver(): boolean {
    this.advance();
    return this.isAtEnd;
  }

  private advance(): void {
    while (!this.isAtEnd && this.generation.every((k) => this.rows.has(k))) {
      if (this.generation.length > 0) this.search.tell(this.generation.map((k) => this.rows.get(k)!));
      const next = this.search.ask();
      this.isAtEnd = next === undefined;
      const alive = this.search.alive?.();
      for (const k of this.checkpoints.keys()) if (alive?.has(k) !== true) this.checkpoints.delete(k);
      this.generation = next ?? [];
      this.waiting = this.generation.filter((k) => !this.rows.has(k));
    }
  }

  private withCheckpoint(order: FlightOrder): FlightOrder {
    const { branch } = order;
    if (branch === undefined) return order;
    const { atUs } = branch.reseeds.at(-1)!;
    const from = this.checkpoints.get(branch.parent)?.find(({ tUs }) => tUs === atUs);
    return from === undefined ? order : { ...order, from };
  }
}
