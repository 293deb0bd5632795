/**
 * The attacks: each makes case number i from its seed, passes it to the product as untrusted input, and reports whether
 * it was accepted or refused. Anything but a typed error, and data that differs from what was written, is a fault.
 */
import {
  canonicalJson,
  checkDefinition,
  coreRegistry,
  definitionOf,
  type FlightDefinition,
  flyFlightNow,
  mustResolve,
  type PlainObject,
  type Recording,
  replayFlight,
  resolveFlight,
  SimError,
  summarise,
} from "@escapement/core";
import {
  encodeRecording,
  LOG_KINDS,
  type LogKind,
  MemoryBytes,
  openLog,
  openRecordingStream,
  readRecording,
  readTable,
  type Table,
} from "@escapement/formats";
import { makeReport } from "@escapement/viewer";
import { flightColumns, flightRow } from "../support/flight-columns.ts";
import { flyBuiltIn } from "../support/recordings.ts";
import { Chance, mutatedBytes, mutatedJson, mutatedText } from "./mutate.ts";

export type Verdict = "accepted" | "refused";

export interface Attack {
  readonly name: string;
  /** Cases of the full bar. */
  readonly cases: number;
  /** Prepares the attack; the result runs one case. */
  readonly prepare: (seed: number) => Promise<(i: number) => Promise<Verdict>>;
}

/** The product returned something that was never written. */
export class WrongData extends Error {}

/** Runs code on untrusted input. A typed error is a refusal; any other error is left to the caller to report. */
async function verdictOf(run: () => unknown): Promise<Verdict> {
  try {
    await run();
    return "accepted";
  } catch (error) {
    if (error instanceof SimError) return "refused";
    throw error;
  }
}

const SCENARIO = [
  { at: "10 ms", gust: { velNedMps: [3, 0, 0], shape: "one-minus-cosine" }, forS: 0.02 },
  { when: "altitudeM > 1 and armed == 1", parameter: { name: "MPC_XY_CRUISE", value: 3 } },
  { step: 5, motorJam: { motor: 2 } },
];
const END = { timeline: { endS: 0.04 } };

function baseFlights(): { recording: Recording; definition: unknown }[] {
  const specs: [string, PlainObject][] = [
    ["mission", { ...END, scenario: SCENARIO, sensors: { imu: true, gnss: true, barometer: true } }],
    ["octa-motor-out", END],
    ["drop", { ...END, integrator: "rk45" }],
  ];
  return specs.map(([name, over]) => {
    const { recording } = flyBuiltIn(name, over);
    return { recording, definition: JSON.parse(canonicalJson(recording.resolved)) as unknown };
  });
}

/** Everything that a command does with the definition of a recording. */
function useRecording(recording: Recording): void {
  const definition = definitionOf(recording);
  const { kind: outcome, reason, events, extremes } = summarise(recording);
  makeReport({ recording, definition, outcome, reason, events, extremes, version: "0" });
  replayFlight(recording);
}

const definitions: Attack = {
  name: "definitions in recordings",
  cases: 1e5,
  prepare: async (seed) => {
    const bases = baseFlights();
    return async (i) => {
      const chance = new Chance(seed, `definition/${i}`);
      const { recording, definition } = chance.of(bases);
      const strange = { ...recording, resolved: mutatedJson(definition, chance), resolvedHash: "" };
      return verdictOf(async () => {
        // Through a file in one case of twenty: the container is the same for all.
        if (i % 20 === 0) {
          const memory = new MemoryBytes();
          await encodeRecording(memory, strange);
          useRecording((await readRecording(memory.bytes())).recording);
        } else useRecording(strange);
      });
    };
  },
};

const links: Attack = {
  name: "definitions as text",
  cases: 1e5,
  prepare: async (seed) => {
    const texts = baseFlights().map(({ definition }) => canonicalJson(definition));
    return async (i) => {
      const chance = new Chance(seed, `link/${i}`);
      const text = mutatedText(chance.of(texts), chance);
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return "refused";
      }
      return verdictOf(() => checkDefinition(value));
    };
  },
};

const descriptions: Attack = {
  name: "descriptions",
  cases: 1e5,
  prepare: async (seed) => {
    const names = [...Object.keys(coreRegistry.flights), ...Object.keys(coreRegistry.vehicles)];
    const specs = [
      ...names.map((name) => ({ extends: name, ...END }) as PlainObject),
      ...Object.values(coreRegistry.flights).map((spec) => ({ ...spec, ...END })),
      ...Object.values(coreRegistry.vehicles).map(
        (vehicle) => ({ extends: "mission", vehicle, ...END }) as PlainObject,
      ),
      { extends: "mission", ...END, scenario: SCENARIO, sensors: { imu: true, gnss: true } },
    ];
    return async (i) => {
      const chance = new Chance(seed, `description/${i}`);
      const spec = mutatedJson(chance.of(specs), chance) as PlainObject;
      return verdictOf(() => {
        const resolved = mustResolve(resolveFlight({ file: "attack", spec }, coreRegistry));
        const definition: FlightDefinition = {
          ...resolved.definition,
          timeline: { ...resolved.definition.timeline, endS: Math.min(0.04, resolved.definition.timeline.endS) },
        };
        flyFlightNow({ ...resolved, definition });
      });
    };
  },
};

const ROWS = 40;

async function logOf(kind: LogKind): Promise<Uint8Array> {
  const columns = flightColumns();
  const memory = new MemoryBytes();
  const sink = await openLog(kind, memory, { provenance: { flight: "attack" } });
  sink.open(columns);
  for (let i = 0; i < ROWS; i += 1) sink.row(i * 20_000, Float64Array.from(flightRow(columns, i)));
  await sink.close();
  return memory.bytes();
}

/** Every column must be the written one, or its beginning if the reader reports that something is missing. */
function mustBePrefix(table: Table, whole: Table): void {
  for (const [name, values] of table.columns) {
    const written = whole.columns.get(name);
    if (written === undefined) throw new WrongData(`a column ${name} that was never written`);
    if (values.length > written.length) throw new WrongData(`${name} has ${values.length} rows`);
    if (table.missing === undefined && values.length < written.length) throw new WrongData(`${name} lost rows`);
    const bad = values.findIndex((value, i) => !Object.is(value, written[i]));
    if (bad >= 0) throw new WrongData(`${name}[${bad}] = ${values[bad]}, written ${written[bad]}`);
  }
  if (table.missing === undefined && table.columns.size !== whole.columns.size) throw new WrongData("columns are gone");
}

function corruption(kind: LogKind): Attack {
  return {
    name: `corrupted ${kind}`,
    cases: 1e4,
    prepare: async (seed) => {
      const bytes = await logOf(kind);
      const whole = await readTable(bytes, kind);
      return async (i) => {
        const strange = mutatedBytes(bytes, new Chance(seed, `${kind}/${i}`));
        return verdictOf(async () => {
          const table = await readTable(strange, kind);
          // CSV and ULog have a checksum only at their end: a reader cannot detect other damage in a truncated file.
          const isUnprotected = (kind === "csv" || kind === "ulog") && table.missing !== undefined;
          if (!isUnprotected || strange.every((byte, k) => byte === bytes[k])) mustBePrefix(table, whole);
        });
      };
    },
  };
}

const recordings: Attack = {
  name: "corrupted recording",
  cases: 1e4,
  prepare: async (seed) => {
    const { recording } = flyBuiltIn("drop", END);
    const memory = new MemoryBytes();
    await encodeRecording(memory, recording, { chunkBytes: 4000 });
    const bytes = memory.bytes();
    const whole = await readTable(bytes, "mcap");
    return async (i) => {
      const strange = mutatedBytes(bytes, new Chance(seed, `recording/${i}`));
      return verdictOf(async () => {
        const streamed = await verdictOf(() => openRecordingStream(strange));
        const read = await verdictOf(() => readRecording(strange));
        if (streamed !== read) throw new WrongData(`${read} if read whole, ${streamed} if read piece by piece`);
        const { missing } = await readRecording(strange);
        const table = await readTable(strange, "mcap");
        mustBePrefix(missing === undefined ? table : { ...table, missing }, whole);
      });
    };
  },
};

export const ATTACKS: readonly Attack[] = [definitions, links, descriptions, recordings, ...LOG_KINDS.map(corruption)];
