/**
 * Which flights are flown next: shards and ranges together contain every flight once; a search waits for its
 * generation.
 */
import { describe, expect, it } from "vitest";
import type { Row } from "@escapement/formats";
import type { Plan, Search } from "../contracts.ts";
import { withoutFlight } from "../fly/one.ts";
import { type Orders, ordersOf } from "./orders.ts";

const plan = (count: number): Plan => ({
  kind: "random",
  count,
  dimension: 0,
  pointInto: () => {},
  seedOf: () => undefined,
});
const row = (k: number): Row => withoutFlight(k, "failed", "", []);

function all(orders: Orders): number[] {
  const numbers: number[] = [];
  for (let order = orders.next(); order !== undefined; order = orders.next()) numbers.push(order.k);
  return numbers;
}

describe("the flights of a plan", () => {
  it("are the flights without a row", () => {
    const orders = ordersOf(plan(6), { from: 0, to: 100 }, (k) => k === 0 || k === 4);
    expect(orders.isOver).toBe(false);
    expect(all(orders)).toEqual([1, 2, 3, 5]);
    expect(orders.isOver).toBe(true);
  });

  it.each([1, 2, 3, 7, 100])("are each flown once in %i shards", (count) => {
    const parts = Array.from({ length: count }, (_, index) =>
      all(ordersOf(plan(23), { from: 5, to: 20, shard: { index, count } }, () => false)),
    );
    parts.forEach((numbers, index) => expect(numbers.every((k) => k % count === index)).toBe(true));
    expect(parts.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 15 }, (_, i) => 5 + i));
  });
});

/** A search of three generations of two flights. It stores the numbers of the rows that it receives. */
class PairSearch implements Search {
  readonly kind = "falsify";
  readonly most = 6;
  readonly dimension = 1;
  readonly received: number[][] = [];
  private asked = 0;
  seedOf = () => undefined;
  pointInto = (k: number, out: Float64Array) => void (out[0] = k / 10);
  ask() {
    if (this.asked === 3) return undefined;
    this.asked += 1;
    return [2 * this.asked - 2, 2 * this.asked - 1];
  }
  tell(rows: readonly Row[]) {
    this.received.push(rows.map(({ k }) => k));
  }
}

describe("the flights of a search", () => {
  it("are ordered with their points, one generation after the other", () => {
    const search = new PairSearch();
    const orders = ordersOf(search, { from: 0, to: 6 }, () => false);
    expect([orders.next(), orders.next(), orders.next()]).toEqual([
      { k: 0, point: [0] },
      { k: 1, point: [0.1] },
      undefined,
    ]);
    orders.accept(row(1));
    expect(orders.next()).toBeUndefined();
    orders.accept(row(0));
    expect(all(orders)).toEqual([2, 3]);
    expect(search.received).toEqual([[0, 1]]);
    [2, 3].forEach((k) => orders.accept(row(k)));
    expect(all(orders)).toEqual([4, 5]);
    [4, 5].forEach((k) => orders.accept(row(k)));
    expect([orders.isOver, search.received]).toEqual([
      true,
      [
        [0, 1],
        [2, 3],
        [4, 5],
      ],
    ]);
  });

  it("continue after the rows of an earlier run", () => {
    const search = new PairSearch();
    const orders = ordersOf(search, { from: 0, to: 6 }, () => false);
    [0, 1, 3].forEach((k) => orders.accept(row(k)));
    expect(all(orders)).toEqual([2]);
  });
});
