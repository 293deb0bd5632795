/**
 * Measures bytes and nanoseconds per boundary before and after 2³¹ µs (35 min 47 s). From then on a time is no longer a
 * small integer, and JavaScript engines may box it.
 *
 * Bytes are the growth of the heap over many boundaries without a collection. Spans in which the heap shrank are
 * ignored. The minimum of the other spans is used, because engines also allocate while they compile.
 */
import { getHeapStatistics } from "node:v8";
import {
  assemble,
  coreRegistry,
  type Flight,
  flightLoop,
  mustResolve,
  requirement,
  resolveFlight,
} from "@escapement/core";
import { TEN_REQUIREMENTS } from "../ten-requirements.ts";
import { recordedCommands, scene } from "../scene.ts";
import { flights } from "./engine.ts";
import { measureWithRatios } from "./kernel-steps.ts";
import type { Group, Reading, Row } from "./row.ts";

const SECONDS = 60;
const LATE_US = 2_160_000_000;
const SPAN = 4000;

const nanoseconds = (name: string, about: string): Row => ({ name, about, unit: "ns", base: "before 2³¹ µs" });
const bytes = (name: string, about: string): Row => ({ name, about, unit: "bytes", limit: { of: "value", max: 1 } });

const EARLY_NS = nanoseconds("boundary and interval before 2³¹ µs", "The engine row from t = 0.");
const LATE_NS = nanoseconds("boundary and interval after 2³¹ µs", "The engine row from t = 36 min.");
const EARLY_BYTES = bytes(
  "bytes per boundary before 2³¹ µs",
  "The engine row from t = 0, logging into preallocated memory.",
);
const LATE_BYTES = bytes("bytes per boundary after 2³¹ µs", "The same from t = 36 min.");
const MISSION_BYTES = bytes(
  "bytes per boundary, default mission",
  "The default mission of the iris in the air: embedded autopilot and all digests.",
);

const JUDGED_BYTES = bytes(
  "bytes per boundary, default mission with ten requirements",
  "The same mission, judged by ten requirements with windows, events and units.",
);

/**
 * If a span has fewer bytes per boundary than this, its boundaries allocate nothing, because the smallest object has 16
 * bytes.
 */
const SETTLED_BYTES = 0.05;

/** Returns the bytes that reading the heap size itself allocates. */
function readingBytes(): number {
  let least = Infinity;
  for (let i = 0; i < 50; i += 1) {
    const before = getHeapStatistics().used_heap_size;
    const grown = getHeapStatistics().used_heap_size - before;
    if (grown >= 0) least = Math.min(least, grown);
  }
  return least;
}

/**
 * Returns the minimum bytes per boundary over spans between `fromS` and `toS` of at most `maxFlights` consecutive
 * flights. Stops when a span has allocated next to nothing. On a busy machine, several flights pass before the code is
 * compiled.
 */
function bytesOf(make: () => Flight, maxFlights: number, fromS = 0, toS = Infinity): number {
  const ownBytes = readingBytes();
  let least = Infinity;
  for (let k = 0; k < maxFlights && least > SETTLED_BYTES * SPAN; k += 1) {
    const flight = make();
    let before = Infinity;
    for (const _pause of flightLoop(flight, { yieldEvery: SPAN })) {
      const grown = getHeapStatistics().used_heap_size - before - ownBytes;
      const seconds = (flight.schedule.nowUs - (flight.parts.startUs ?? 0)) / 1e6;
      // The first reading of the heap size does not end a span.
      if (before !== Infinity && grown > -ownBytes && seconds > fromS && seconds < toS) least = Math.min(least, grown);
      before = getHeapStatistics().used_heap_size;
    }
  }
  return Math.max(0, least) / SPAN;
}

export const memory: Group = {
  name: "memory",
  rows: [EARLY_NS, LATE_NS, EARLY_BYTES, LATE_BYTES, MISSION_BYTES, JUDGED_BYTES],
  // Make the semi-spaces large enough for the allocations of many spans, so that most spans contain no collection.
  flags: ["--max-semi-space-size=64", "--min-semi-space-size=64"],
  measure: (effort) => {
    const seconds = effort.isQuick ? 20 : SECONDS;
    const commands = recordedCommands({ seconds });
    const [early, late] = measureWithRatios(
      [flights("early", { seconds, commands }), flights("late", { seconds, commands, startUs: LATE_US })],
      effort,
    );
    const flown = effort.isQuick ? 2 : 30;
    const { definition: mission } = mustResolve(
      resolveFlight({ file: "bench", spec: { extends: "mission" } }, coreRegistry),
    );
    const judged = { requirements: TEN_REQUIREMENTS.map((text) => requirement(text)) };
    const reading = ({ name }: Row, value: number): Reading => ({ row: name, value, ratios: {} });
    return [
      { row: EARLY_NS.name, value: early!.ns, ratios: { ...early!.ratios, base: 1 } },
      { row: LATE_NS.name, value: late!.ns, ratios: { ...late!.ratios, base: late!.ns / early!.ns } },
      reading(
        EARLY_BYTES,
        bytesOf(() => scene({ seconds, commands }).flight, flown),
      ),
      reading(
        LATE_BYTES,
        bytesOf(() => scene({ seconds, commands, startUs: LATE_US }).flight, flown),
      ),
      reading(
        MISSION_BYTES,
        bytesOf(() => assemble(mission, coreRegistry).flight, flown, 20, 60),
      ),
      reading(
        JUDGED_BYTES,
        bytesOf(() => assemble(mission, coreRegistry, { judged }).flight, flown, 20, 60),
      ),
    ];
  },
};
