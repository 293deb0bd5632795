/** Two runs of a campaign: flips, paired differences, and the rejection of campaigns with different flights. */
import { describe, expect, it } from "vitest";
import { decidedVerdict, exampleManifest, exampleRows } from "../../../../tests/support/campaign-rows.ts";
import type { Row } from "../contracts.ts";
import { compareCampaigns, comparePairs } from "./compare.ts";

const FLIGHTS = 400;
const manifest = { ...exampleManifest, plan: { kind: "random", flights: FLIGHTS } };
const before = [...exampleRows(FLIGHTS)];
/** The same flights with margins that are alternately 0.2 m and 0.4 m smaller. */
const after = before.map((row): Row => {
  const [up, ...rest] = row.verdicts;
  const margin = up!.low - (row.k % 2 === 0 ? 0.2 : 0.4);
  return { ...row, fingerprint: `${row.fingerprint}!`, verdicts: [decidedVerdict(margin), ...rest] };
});

describe("two runs of a campaign", () => {
  it("are compared flight by flight: flips with McNemar's test, margins with a paired interval", () => {
    const result = compareCampaigns({ manifest, rows: before }, { manifest, rows: after });
    const isBroken = ({ k, verdicts }: Row) =>
      verdicts[0]!.verdict === "violated" && before[k]!.verdicts[0]!.verdict === "holds";
    const broken = after.filter(isBroken);
    expect(broken.length).toBeGreaterThan(3);
    const [up, tilt] = result.requirements;
    expect([result.flights, result.changed, up!.broken, up!.fixed]).toEqual([FLIGHTS, FLIGHTS, broken.length, 0]);
    // Exact for flips in one direction only: 2 · ½ⁿ.
    expect(up!.p).toBeCloseTo(2 * 0.5 ** broken.length, 12);
    expect(up!.flips.map(({ k }) => k)).toEqual(broken.slice(0, 20).map(({ k }) => k));
    const { mean, low, high } = up!.margin!;
    expect(mean).toBeCloseTo(-0.3, 10);
    // The differences are ±0.1 around their mean: a standard error of 0.1 / √399, and t(0.975, 399) = 1.965927.
    expect(high! - low!).toBeCloseTo((2 * 1.965927 * 0.1) / Math.sqrt(FLIGHTS - 1), 6);
    expect(tilt).toMatchObject({ broken: 0, fixed: 0, p: 1, margin: { mean: 0 } });
    expect(result.measures.map(({ name, difference }) => [name, difference.mean])).toEqual([
      ["positionErrorMaxM", 0],
      ["settling", 0],
    ]);
  });

  it("are compared without intervals and p-values if the flights of the plan depend on each other", () => {
    const sobol = { ...manifest, plan: { kind: "sobol" } };
    const [up] = compareCampaigns({ manifest: sobol, rows: before }, { manifest: sobol, rows: after }).requirements;
    expect([up!.p, up!.margin!.low]).toEqual([null, null]);
    expect(up!.margin!.mean).toBeCloseTo(-0.3, 10);
  });

  it("count flights that only one of them has", () => {
    const result = compareCampaigns({ manifest, rows: before.slice(5) }, { manifest, rows: after.slice(0, 390) });
    expect([result.flights, result.onlyBefore, result.onlyAfter]).toEqual([385, 10, 5]);
  });

  it("are rejected if their flights differ", () => {
    const compareWith = (other: typeof manifest) => () =>
      compareCampaigns({ manifest, rows: before }, { manifest: other, rows: after });
    expect(compareWith({ ...manifest, seed: 2 })).toThrow(/COMPARE-001.*differ in seed\b/s);
    expect(compareWith({ ...manifest, keys: [] })).toThrow(/COMPARE-001.*differ in vary\b/s);
  });
});

describe("the pairs of a plan", () => {
  const paired = { ...manifest, plan: { kind: "pairs", pairs: FLIGHTS } };
  const rows = before.flatMap((row, i) => [
    { ...row, k: 2 * i },
    { ...after[i]!, k: 2 * i + 1 },
  ]);

  it("are compared like two runs; flips are named by the base flight", () => {
    const [pairs, runs] = [
      comparePairs(paired, rows),
      compareCampaigns({ manifest, rows: before }, { manifest, rows: after }),
    ];
    const doubled = runs.requirements.map((each) => ({
      ...each,
      flips: each.flips.map((flip) => ({ ...flip, k: 2 * flip.k })),
    }));
    expect(pairs).toEqual({ ...runs, requirements: doubled });
  });

  it("are counted, not compared, if one of the two flights has no row", () => {
    const { flights, onlyBefore, onlyAfter } = comparePairs(paired, rows.slice(1, -1));
    expect([flights, onlyBefore, onlyAfter]).toEqual([FLIGHTS - 2, 1, 1]);
  });
});
