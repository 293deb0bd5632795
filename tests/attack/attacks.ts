/**
 * The attacks. Each attack makes case i from a seed, passes it to the product as untrusted input, and reports whether
 * the product accepted or rejected it. An error without a type is a fault, and so is data that was never written.
 */
import {
  canonicalJson,
  checkDefinition,
  coreRegistry,
  definitionOf,
  type FlightDefinition,
  FlightSession,
  type FlightSpec,
  flyFlightNow,
  mustResolve,
  type PlainObject,
  type Recording,
  replayFlight,
  resolveFlight,
  Run,
  Snapshot,
  summarise,
} from "@escapement/core";
import {
  decodeCheckpoint,
  encodeRecording,
  LOG_KINDS,
  type LogKind,
  MemoryBytes,
  openLog,
  openRecordingWriter,
  openRecordingStream,
  readRecording,
  readTable,
  type Table,
} from "@escapement/formats";
import { encodeCheckpoint } from "../../packages/formats/src/checkpoint/checkpoint.ts";
import { makeReport } from "@escapement/viewer";
import { flightColumns, flightRow } from "../support/flight-columns.ts";
import { flyBuiltIn } from "../support/recordings.ts";
import { type Attack, verdictOf, WrongData } from "./attack.ts";
import { journals } from "./journals.ts";
import { links } from "./links.ts";
import { Chance, mutateBytes, mutateJson, mutateText } from "./mutate.ts";

const SCENARIO = [
  { at: "4 ms", gust: { velNedMps: [3, 0, 0], shape: "one-minus-cosine" }, forS: 0.006 },
  { when: "altitudeM > 1 and armed == 1", parameter: { name: "MPC_XY_CRUISE", value: 3 } },
  { step: 2, motorJam: { motor: 2 } },
];
/** Enough for every part of a flight to run: four ticks of the autopilot, and the start and end of every event. */
const END_S = 0.016;
const END = { timeline: { endS: END_S } };
/** One case in this many uses generated code, because generating and checking it takes as long as ten cases. */
const CASES_PER_CODEGEN = 50;

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

/** Summarises a recording and makes its report, as `info` and `report` do. */
function reportOn(recording: Recording): void {
  const definition = definitionOf(recording);
  const { kind: outcome, reason, events, extremes } = summarise(recording);
  makeReport({ recording, definition, outcome, reason, events, extremes, version: "0" });
}

/** Checks that a replay that streams the file equals a replay from memory. */
async function mustReplayEqually(bytes: Uint8Array, whole: Recording, codegen = false): Promise<void> {
  const fed = replayFlight((await openRecordingStream(bytes)).fed(), { codegen });
  const { plantDigest, end } = replayFlight(whole, { codegen });
  if (fed.plantDigest !== plantDigest || fed.end.endUs !== end.endUs)
    throw new WrongData("the replay that streams the file differs from the replay from memory");
}

const definitions: Attack = {
  name: "definitions in recordings",
  cases: 1e5,
  prepare: async (seed) => {
    const bases = baseFlights();
    return async (i) => {
      const chance = new Chance(seed, `definition/${i}`);
      const { recording, definition } = chance.of(bases);
      const strange = { ...recording, resolved: mutateJson(definition, chance), resolvedHash: "" };
      return verdictOf(async () => {
        // Use a file in one case of twenty, and generated code in one of 50, because both take longer. The others are
        // replayed or reported in turn.
        const codegen = i % CASES_PER_CODEGEN === 0;
        if (i % 20 === 0) {
          const memory = new MemoryBytes();
          await encodeRecording(memory, strange);
          const { recording: read } = await readRecording(memory.bytes());
          reportOn(read);
          await mustReplayEqually(memory.bytes(), read, codegen);
        } else if (i % 2 === 0) replayFlight(strange, { codegen });
        else reportOn(strange);
      });
    };
  },
};

const definitionTexts: Attack = {
  name: "definitions as text",
  cases: 1e5,
  prepare: async (seed) => {
    const texts = baseFlights().map(({ definition }) => canonicalJson(definition));
    return async (i) => {
      const chance = new Chance(seed, `text/${i}`);
      const text = mutateText(chance.of(texts), chance);
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
      const spec = mutateJson(chance.of(specs), chance) as PlainObject;
      return verdictOf(() => {
        const resolved = mustResolve(resolveFlight({ file: "attack", spec }, coreRegistry));
        const definition: FlightDefinition = {
          ...resolved.definition,
          timeline: { ...resolved.definition.timeline, endS: Math.min(END_S, resolved.definition.timeline.endS) },
        };
        flyFlightNow({ ...resolved, definition }, coreRegistry, { codegen: i % CASES_PER_CODEGEN === 0 });
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

/** Checks that every column is the written one, or its beginning if the reader reports that something is missing. */
function mustBePrefix(table: Table, whole: Table): void {
  for (const [name, values] of table.columns) {
    const written = whole.columns.get(name);
    if (written === undefined) throw new WrongData(`a column ${name} that was never written`);
    if (values.length > written.length) throw new WrongData(`${name} has ${values.length} rows`);
    if (table.missing === undefined && values.length < written.length) throw new WrongData(`${name} lost rows`);
    const bad = values.findIndex((value, i) => !Object.is(value, written[i]));
    if (bad >= 0) throw new WrongData(`${name}[${bad}] = ${values[bad]}, written ${written[bad]}`);
  }
  if (table.missing === undefined && table.columns.size !== whole.columns.size)
    throw new WrongData("columns are missing");
}

function corruption(kind: LogKind): Attack {
  return {
    name: `corrupted ${kind}`,
    cases: 1e4,
    prepare: async (seed) => {
      const bytes = await logOf(kind);
      const whole = await readTable(bytes, kind);
      return async (i) => {
        const strange = mutateBytes(bytes, new Chance(seed, `${kind}/${i}`));
        // Skip mutations that change nothing, because reading the whole file takes much longer than rejecting a damaged
        // one.
        if (Buffer.compare(strange, bytes) === 0) return "accepted";
        return verdictOf(async () => {
          const table = await readTable(strange, kind);
          // CSV and ULog have a checksum only at their end, so a reader cannot detect other damage in a truncated file.
          const isUnprotected = (kind === "csv" || kind === "ulog") && table.missing !== undefined;
          if (!isUnprotected || strange.every((byte, k) => byte === bytes[k])) mustBePrefix(table, whole);
        });
      };
    },
  };
}

/** Returns the bytes of a recorded flight with a checkpoint every 10 ms. */
async function recordingWithCheckpoints(): Promise<Uint8Array> {
  const flight = mustResolve(resolveFlight({ file: "a", spec: { extends: "drop", ...END } }, coreRegistry));
  const memory = new MemoryBytes();
  const writer = await openRecordingWriter(memory, {
    resolved: flight.definition,
    resolvedHash: flight.hash,
    chunkBytes: 4000,
  });
  const markUs = Float64Array.of(10_000);
  const run: Run = new Run(flight, {
    sinks: [writer],
    observers: [writer],
    markUs,
    onPause: (pause) => {
      if (pause !== "mark") return;
      writer.checkpoint(run.flight.schedule.nowUs, run.flight.save());
      markUs[0]! += 10_000;
    },
  });
  const { plant, fingerprint } = run.assembled;
  writer.prepare({ dims: plant.dims, stateBlocks: plant.layout.blocks, digests: () => fingerprint!.result() });
  await run.toEnd();
  return memory.bytes();
}

const recordings: Attack = {
  name: "corrupted recording",
  cases: 1e4,
  prepare: async (seed) => {
    const bytes = await recordingWithCheckpoints();
    const whole = await readTable(bytes, "mcap");
    const written = (await readRecording(bytes)).checkpoints.map((checkpoint) => checkpoint.bytes.join());
    return async (i) => {
      const strange = mutateBytes(bytes, new Chance(seed, `recording/${i}`));
      return verdictOf(async () => {
        const streamed = await verdictOf(() => openRecordingStream(strange));
        const read = await verdictOf(() => readRecording(strange));
        if (streamed !== read) throw new WrongData(`${read} if read whole, ${streamed} if read piece by piece`);
        const { recording, missing, checkpoints: kept } = await readRecording(strange);
        await mustReplayEqually(strange, recording);
        const isKnown = kept.every((checkpoint) => written.includes(checkpoint.bytes.join()));
        if (!isKnown || (missing === undefined && kept.length < written.length)) throw new WrongData("checkpoints");
        const table = await readTable(strange, "mcap");
        mustBePrefix(missing === undefined ? table : { ...table, missing }, whole);
      });
    };
  },
};

/** Returns a checkpoint with strange values, names and lengths, but a correct checksum. */
function strangeSnapshot({ sections, flightHash }: Snapshot, chance: Chance): Snapshot {
  let strange = sections.map(({ name, values }) => ({ name, values: values.slice() }));
  for (let left = 1 + chance.below(3); left > 0; left -= 1) {
    const at = chance.below(strange.length);
    const section = strange[at]!;
    const change = chance.below(8);
    if (change === 0) strange = strange.filter((_, i) => i !== at);
    else if (change === 1) strange.splice(at, 0, chance.of(strange));
    else if (change === 2) strange[at] = { ...section, name: chance.of(["schedule", "scenario", "", "__proto__"]) };
    else if (change === 3) strange[at] = { ...section, values: section.values.slice(0, chance.below(20)) };
    else if (section.values.length > 0) section.values[chance.below(section.values.length)] = chance.number();
    if (strange.length === 0) break;
  }
  return new Snapshot(strange, flightHash);
}

const CHECKPOINT_END = { timeline: { endS: 1.2 } };

const checkpoints: Attack = {
  name: "checkpoints",
  cases: 1e5,
  prepare: async (seed) => {
    const sensors = { imu: true, gnss: true, barometer: true };
    const spec = { extends: "mission", ...CHECKPOINT_END, scenario: SCENARIO, sensors } as FlightSpec;
    const session = FlightSession.open(spec);
    session.advance(1_000_000);
    const saved = session.save();
    const bytes = encodeCheckpoint(saved, "attack");
    return async (i) => {
      const chance = new Chance(seed, `checkpoint/${i}`);
      return verdictOf(() => {
        if (i % 2 === 0) {
          const { snapshot, program } = decodeCheckpoint(mutateBytes(bytes, chance));
          const again = encodeCheckpoint(snapshot, program);
          if (!again.every((byte, k) => byte === bytes[k])) throw new WrongData("a checkpoint that was never written");
          return;
        }
        const { snapshot } = decodeCheckpoint(encodeCheckpoint(strangeSnapshot(saved, chance), "attack"));
        // Treat the snapshot like a checkpoint of a recording: add it to a session or load it, and continue the flight.
        const other = i % 20 === 1 ? FlightSession.open(spec) : session;
        if (other !== session) other.keep(snapshot);
        else other.load(snapshot);
        other.advance(1_040_000);
        if (other !== session) other.rewindTo(1_100_000);
      });
    };
  },
};

export const ATTACKS: readonly Attack[] = [
  definitions,
  definitionTexts,
  links,
  descriptions,
  checkpoints,
  journals,
  recordings,
  ...LOG_KINDS.map(corruption),
];
