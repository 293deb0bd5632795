/**
 * Measures the costs of the viewer besides the flight itself: the rows and checkpoints of a flight that the worker
 * simulates to its end, the preview that is flown while a user drags a gust, and the points of a plot of many rows.
 */
import { FlightSession } from "@escapement/core";
import { Pyramid } from "../../packages/viewer/src/view/data/pyramid.ts";
import { FlownFlight } from "../../packages/viewer/src/view/worker/flown-flight.ts";
import { preview } from "../../packages/viewer/src/view/worker/preview.ts";
import { mustResolveText } from "../../packages/viewer/src/view/worker/texts.ts";
import { type Effort, forFlights, measure, type Variant } from "../measure.ts";
import type { Group, Row } from "./row.ts";

const AHEAD: Row = {
  name: "flying ahead for the page",
  about: "The default mission with its rows, events and checkpoints, as the page's worker flies it.",
  unit: "ms",
  base: "the same flight without them",
  limit: { of: "base", max: 1.25 },
};
const PREVIEW: Row = {
  name: "previewing a gust",
  about: "The next six seconds of the default mission with a gust, from its checkpoint.",
  unit: "ms",
  base: "six seconds flown without a pause",
  limit: { of: "base", max: 1.6 },
};
const ZOOM: Row = {
  name: "points of a plot of 1e6 rows",
  about: "The extremes of 1200 buckets over the whole column.",
  unit: "ms",
  base: "the same over 1e5 rows",
  limit: { of: "base", max: 3 },
};

const TEXT = 'extends = "mission"\n';
const AT_US = 24_000_000;
const HORIZON_US = 6_000_000;
const BUCKETS = 1200;

const source = () => ({ name: "mission", text: TEXT, files: {}, resolved: mustResolveText(TEXT, {}) });

/** Makes a variant whose unit is one call. */
function calls(name: string, guessMs: number, call: () => void): Variant {
  return {
    name,
    guessNs: guessMs * 1e6,
    run: (units) => {
      for (let i = 0; i < units; i += 1) call();
      return units;
    },
  };
}

function flyToEnd(): FlownFlight {
  const flight = new FlownFlight(1, source());
  while (!flight.isOver) {
    flight.advance(
      () => true,
      () => 0,
    );
    flight.takeRows();
  }
  return flight;
}

function measureAhead(effort: Effort): readonly number[] {
  const plain = () => new FlightSession(source().resolved, { checkpointEveryUs: Infinity }).advance();
  return measure([calls("ahead", 400, flyToEnd), calls("plain", 350, plain)], forFlights(effort));
}

/**
 * A preview takes a tenth of the time of a whole flight, so it is measured more often. The page, too, flies many
 * previews in a row.
 */
function forPreviews({ rounds, warmUps, ...effort }: Effort): Effort {
  return { ...effort, rounds: Math.ceil(rounds / 3), warmUps: Math.ceil(warmUps / 2) };
}

function measurePreview(effort: Effort): readonly number[] {
  const flight = flyToEnd();
  const columns = [0, 1, 2, 3, 4, 5, 6];
  const session = new FlightSession(source().resolved, { checkpointEveryUs: Infinity });
  session.advance(AT_US);
  const start = session.save();
  let speed = 0;
  return measure(
    [
      calls("preview", 40, () => {
        // Use a different gust each time, as under a moving pointer.
        speed = (speed + 1) % 16;
        const events = [{ for: "3 s", gust: { velNedMps: [0, speed, 0] } }];
        preview(flight, { atUs: AT_US, events, horizonUs: HORIZON_US, columns });
      }),
      calls("fly", 35, () => {
        session.load(start);
        session.advance(AT_US + HORIZON_US);
      }),
    ],
    forPreviews(effort),
  );
}

function measureZoom(effort: Effort): readonly number[] {
  const out = new Float32Array(2 * BUCKETS);
  const over = (rows: number) => {
    const values = Float32Array.from({ length: rows }, (_, i) => (i * 7919) % 1009);
    const pyramid = new Pyramid({ values, count: rows });
    return calls(`${rows} rows`, 0.5, () => {
      for (let i = 0; i < BUCKETS; i += 1) {
        pyramid.rangeInto(out, 2 * i, Math.floor((i * rows) / BUCKETS), Math.floor(((i + 1) * rows) / BUCKETS));
      }
    });
  };
  return measure([over(1e6), over(1e5)], effort);
}

export const viewer: Group = {
  name: "viewer",
  rows: [AHEAD, PREVIEW, ZOOM],
  measure: (effort) =>
    (
      [
        [AHEAD, measureAhead(effort)],
        [PREVIEW, measurePreview(effort)],
        [ZOOM, measureZoom(effort)],
      ] as const
    ).map(([{ name }, [own, base]]) => ({ row: name, value: own! / 1e6, ratios: { base: own! / base! } })),
};
