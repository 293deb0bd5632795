/**
 * Above the memory limit, columns are dropped unless they are shown or plotted; they are flown again when they are
 * plotted.
 */
import { describe, expect, it } from "vitest";
import type { RowsStore } from "../data/rows-store.ts";
import { storeInNode, untilFlown } from "../testing/store-in-node.ts";
import type { Panel } from "./state.ts";
import type { ViewFlight } from "./view-flight.ts";

const SHORT = 'extends = "hover"\ntimeline.endS = 2\n';
const GUST = { at: "1 s", for: "0.2 s", gust: { velNedMps: [0, 5, 0] } };
const PANEL: Panel = { id: 1, kind: "time", quantities: ["rateDotBody[1]"] };

const column = ({ rows }: ViewFlight, signal: string, component = 0) => rows.peek().place(signal, component);

function values(rows: RowsStore, place: number): number[] {
  return Array.from({ length: rows.count }, (_, row) => rows.value(place, row));
}

async function untilFilled(flight: ViewFlight): Promise<void> {
  while (flight.columnFills.peek() === 0) await new Promise((later) => setTimeout(later, 5));
}

describe("columns of the page", () => {
  it("are all kept if they take less memory than the limit", async () => {
    const store = storeInNode();
    const flight = await store.open(SHORT);
    await untilFlown(flight);
    expect(flight.rows.peek().has(column(flight, "rateDotBody", 1))).toBe(true);
  });

  it("are dropped if they take more, except the columns that the page shows", async () => {
    const store = storeInNode({ maxRowBytes: 1 });
    const flight = await store.open(SHORT);
    await untilFlown(flight);
    const rows = flight.rows.peek();
    expect(rows.has(column(flight, "posNed", 2))).toBe(true);
    expect(rows.has(column(flight, "rateDotBody", 1))).toBe(false);
    expect(rows.value(column(flight, "rateDotBody", 1), 50)).toBeNaN();
  });

  it("are restored with the same values when they are plotted, also in a branch", async () => {
    const [whole, lean] = [storeInNode(), storeInNode({ maxRowBytes: 1 })];
    const found: number[][][] = [];
    for (const store of [whole, lean]) {
      const root = await store.open(SHORT);
      await untilFlown(root);
      const branch = (await store.inject([GUST], "gust"))!;
      await untilFlown(branch);
      const place = column(branch, "rateDotBody", 1);
      if (store === lean) {
        expect(branch.rows.peek().has(place)).toBe(false);
        store.state.panels.value = [PANEL];
        await untilFilled(root);
        await untilFilled(branch);
      }
      found.push([root, branch].map(({ rows }) => values(rows.peek(), place)));
      expect(branch.series.peek().get("rateDotBody[1]")!.at(90)).toBe(branch.rows.peek().value(place, 90));
    }
    expect(found[0]![1]!.some((value) => value !== 0)).toBe(true);
    expect(found[1]).toEqual(found[0]);
  });
});
