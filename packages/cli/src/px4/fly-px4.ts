/**
 * Flights with PX4, driven from the command: the library in a watched child process, stock PX4 through its ports.
 *
 * Both end in the same result as any other flight. What the library's flight writes is made from its recording, because
 * rows and files live in different processes; stock PX4 flies in this one, so its files stream as usual.
 */
import { type FlightResult, invariant, type Registry, type ResolvedFlight, type Track } from "@escapement/core";
import { checkSitl, type ChildFlight, flyLockstep, flySitl, LOCKSTEP_KIND } from "@escapement/px4";
import type { Interrupt } from "../drive/interrupt.ts";
import { writeAfterwards } from "../outputs/after-flight.ts";
import { checkOutputs, FlightOutputs } from "../outputs/flight-outputs.ts";
import { checkLibraryFlight } from "./library-flight.ts";

export interface Px4Run {
  readonly result: FlightResult;
  /** Writes what is written after a flight. */
  readonly finish: () => Promise<void>;
  /** What only PX4 can tell: lines for the summary. */
  readonly notes: readonly string[];
}

export interface Px4RunOptions {
  readonly registry: Registry;
  readonly outputs: ResolvedFlight["run"]["outputs"];
  readonly codegen: boolean;
  readonly interrupt: Interrupt;
}

export function flyPx4(resolved: ResolvedFlight, options: Px4RunOptions): Promise<Px4Run> {
  return resolved.flown.autopilot.kind === LOCKSTEP_KIND ? flyLibrary(resolved, options) : flyStock(resolved, options);
}

async function flyLibrary(resolved: ResolvedFlight, options: Px4RunOptions): Promise<Px4Run> {
  const { registry, outputs, codegen, interrupt } = options;
  checkLibraryFlight(resolved, registry, outputs);
  // Written after the flight, but a name that cannot be written is told before it.
  checkOutputs(outputs);
  const stop = new AbortController();
  interrupt.onAsked = () => stop.abort();
  const child = await flyLockstep(resolved, { signal: stop.signal, codegen });
  const result = resultOfChild(resolved, child);
  return { result, finish: () => writeAfterwards(outputs, result, child.recording), notes: [] };
}

async function flyStock(resolved: ResolvedFlight, options: Px4RunOptions): Promise<Px4Run> {
  const { registry, outputs, codegen, interrupt } = options;
  // Before the files: where there is no PX4 none is made, and none that is there already is replaced.
  checkSitl(resolved);
  const files = await FlightOutputs.open(resolved, outputs);
  let flight: { readonly schedule: { endHere(): void } } | undefined;
  const { flight: result, report } = await files.guard(() =>
    flySitl(resolved, {
      registry,
      codegen,
      ...files.parts(),
      ...(outputs.paceX > 0 ? { pace: outputs.paceX } : {}),
      onAssembled: (assembled) => {
        files.prepare(assembled);
        flight = assembled.flight;
      },
      onPause: async () => {
        await new Promise((done) => setImmediate(done));
        if (interrupt.isAsked) flight?.schedule.endHere();
      },
    }),
  );
  const notes = [
    `stock PX4, instance ${report.instance}: ready at ${report.readyAtS.toFixed(1)} s, ${report.frames} frames, ${report.missed} missed replies; not bit-repeatable, its recording replays bit for bit`,
  ];
  return { result, finish: () => files.finish(result), notes };
}

/** What came back from the child, in the shape of any flight's result. */
function resultOfChild(resolved: ResolvedFlight, child: ChildFlight): FlightResult {
  const { outcome, reason, fingerprint, end, events, extremes, recording } = child;
  return {
    outcome,
    reason,
    fingerprint,
    digests: recording.digests,
    end,
    events,
    extremes,
    track: trackOf(child),
    resolved,
  };
}

function trackOf({ recording }: ChildFlight): Track {
  const state = recording.logged.find(({ name }) => name === "state");
  invariant(state !== undefined, "a recording always holds the states");
  const rows = state.timesUs.length;
  const column = (component: number, sign: number) =>
    Float64Array.from({ length: rows }, (_, row) => sign * state.values[row * state.size + component]!);
  return { timesUs: state.timesUs, north: column(0, 1), east: column(1, 1), altitude: column(2, -1) };
}
