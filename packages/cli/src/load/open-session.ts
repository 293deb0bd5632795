/**
 * Opens a session on a flight by name: a built-in, a file, or a recording.
 *
 * A session on a recording flies the recorded definition. It continues from the recorded checkpoints instead of flying
 * from the start; checkpoints of a different program version are not used.
 */
import {
  checkDefinition,
  definitionOf,
  eventText,
  FlightSession,
  hashOf,
  NOT_JUDGED,
  parseDurationText,
  type Recording,
  type Registry,
  type ResolvedFlight,
  secondsToUs,
  type SessionOptions,
  SimError,
  type Snapshot,
} from "@escapement/core";
import { decodeCheckpoint, programOf } from "@escapement/formats";
import { LOCKSTEP_KIND, SITL_KIND } from "@escapement/px4/kinds";
import { cliErrors } from "../errors.ts";
import { registry } from "../registry.ts";
import { VERSION } from "../version.ts";
import { FlightFiles } from "./flight-files.ts";
import { withCustomParts } from "./custom-parts.ts";
import { useRecording } from "./read-files.ts";

export interface OpenedFlight {
  /** The flight with its requirements, which the session of a recording does not judge. */
  readonly resolved: ResolvedFlight;
  readonly session: FlightSession;
  readonly registry: Registry;
  readonly recording?: Recording;
}

/** Opens a session at the start of a flight. */
export async function openSession(name: string, flags: { readonly with: readonly string[] }): Promise<OpenedFlight> {
  const parts = await withCustomParts(registry, flags.with);
  if (!/\.mcap$/i.test(name)) {
    const resolved = await new FlightFiles(parts).mustResolve({ name });
    return { resolved, session: new FlightSession(resolved, { registry: parts }), registry: parts };
  }
  const checkpoints: Snapshot[] = [];
  const onCheckpoint = (bytes: Uint8Array) => checkpoints.push(...decodeUsableCheckpoint(bytes, name));
  return useRecording(name, { onCheckpoint }, async (stream, readWhole) => {
    const definition = checkDefinition(definitionOf(stream), { registry: parts, file: name });
    const files = new FlightFiles(parts);
    files.addRecording(name, stream);
    const { settings, judged } = await files.mustResolve({ name });
    const resolved = { definition, settings, judged, hash: hashOf(definition) };
    const openWith = (replayed: Pick<SessionOptions, "replay">) => {
      // The recorded checkpoints do not contain the memory of requirements, so the session cannot judge the flight.
      const session = new FlightSession({ ...resolved, judged: NOT_JUDGED }, { registry: parts, ...replayed });
      for (const each of checkpoints) if (each.flightHash === resolved.hash) session.keep(each);
      return { resolved, session, registry: parts };
    };
    if (!isPx4(definition.autopilot.kind)) return openWith({});
    // PX4's memory is outside this process, so the recorded commands are replayed. Going back needs all of them in
    // memory.
    const { recording } = await readWhole();
    return { ...openWith({ replay: { recording, live: [] } }), recording };
  });
}

/** Returns true if PX4 is the autopilot, as a library or in its own process. */
export function isPx4(kind: string): boolean {
  return kind === LOCKSTEP_KIND || kind === SITL_KIND;
}

/**
 * Returns a checkpoint if this version of the program wrote it. Damaged checkpoints are skipped, because the flight can
 * be flown without them.
 */
function decodeUsableCheckpoint(bytes: Uint8Array, file: string): Snapshot[] {
  try {
    const { program, snapshot } = decodeCheckpoint(bytes, file);
    return program === programOf({ escapement: VERSION }) ? [snapshot] : [];
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    return [];
  }
}

/**
 * Goes to an instant: a time (`27.8`, `27.8 s`), a boundary (`#27800`), the name of a scenario event, or words of an
 * event of the flight (`lift-off`). Returns the requested time.
 */
export function goTo(session: FlightSession, at: string): number {
  const boundary = /^#([0-9]{1,12})$/.exec(at);
  if (boundary !== null) {
    const number = Number(boundary[1]);
    session.rewindToBoundary(number);
    // The session stops at the last boundary of the flight.
    if (session.boundary !== number) {
      throw cliErrors.badInstant({
        what: `--at ${at} is after the end: the flight has boundaries 0 to ${session.boundary}`,
        fix: `use --at "#${session.boundary}" for the last one, or a time in seconds`,
      });
    }
    return session.nowUs;
  }
  const seconds = parseDurationText(at);
  const tUs = seconds === undefined ? timeOfEvent(session, at) : secondsToUs(Math.round(seconds * 1e6) / 1e6);
  session.rewindTo(tUs);
  return tUs;
}

function timeOfEvent(session: FlightSession, words: string): number {
  session.advance();
  const named = session.resolved.definition.scenario.find(({ name }) => name === words);
  if (named?.trigger.at === "time") return named.trigger.tUs;
  const texts = session.events.map((event) => ({ tUs: event.tUs, text: eventText(event) }));
  const found = texts.find(({ text }) => text.toLowerCase().includes(words.toLowerCase()));
  if (found !== undefined) return found.tUs;
  const some = texts.map(({ text }) => text).slice(0, 6);
  throw cliErrors.badInstant({
    what: `--at ${words} is neither a time, a boundary nor an event of this flight`,
    fix: `use e.g. --at 27.8, --at "#27800"${some.length === 0 ? "" : `, or one of its events: ${some.join("; ")}`}`,
  });
}
