/**
 * The child that flies with the PX4 library: engine, plant, library and sinks together, one flight, then the end.
 */
import { assemble, endAtFailure, coreRegistry, finish, flyAsync, SimError } from "@escapement/core";
import type { AssembledFlight, FlightEnd, ResolvedFlight, Sink } from "@escapement/core";
import { px4Kinds } from "../kinds.ts";
import { LockstepAutopilot } from "./autopilot.ts";
import { plainError } from "./child-protocol.ts";
import type { ChildFlight, FlyMessage, FromChild, SinkModule, ToChild } from "./child-protocol.ts";

const PROGRESS_EVERY_MS = 200;

let isStopping = false;

function tell(message: FromChild): Promise<void> {
  return new Promise((done) => process.send?.(message, () => done()));
}

async function openSinks(module: SinkModule | undefined, resolved: FlyMessage["resolved"]): Promise<readonly Sink[]> {
  if (module === undefined) return [];
  const { openSinks: open } = (await import(module.url)) as {
    openSinks: (data: unknown, flight: FlyMessage["resolved"]) => Promise<readonly Sink[]>;
  };
  return open(module.data, resolved);
}

/** What is told of a flight at its end: as it was flown, or an error and what was flown before it. */
type Told = Extract<FromChild, { kind: "done" | "failed" }>;

async function fly({ resolved, codegen, sinks: module }: FlyMessage): Promise<Told> {
  const registry = coreRegistry.with(px4Kinds);
  const sinks = await openSinks(module, resolved);
  const assembled = assemble(resolved.definition, registry, { record: true, codegen, sinks });
  const { autopilot } = assembled.flight.parts;
  await tell({ kind: "stage", stage: "creating" });
  if (autopilot instanceof LockstepAutopilot) autopilot.open();
  await tell({ kind: "stage", stage: "flying" });
  try {
    return { kind: "done", flight: flownBy(resolved, assembled, await flyThrough(assembled)) };
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    const flight = flownBy(resolved, assembled, endAtFailure(assembled.flight));
    return { kind: "failed", error: plainError(error), flight };
  }
}

function flyThrough({ flight }: AssembledFlight): Promise<FlightEnd> {
  let toldAtMs = performance.now();
  return flyAsync(flight, {
    onPause: async () => {
      if (performance.now() - toldAtMs < PROGRESS_EVERY_MS) return;
      toldAtMs = performance.now();
      await tell({ kind: "progress", tUs: flight.clock.us });
      // A turn of the event loop, in which the parent can be heard.
      await new Promise((done) => setImmediate(done));
      if (isStopping) flight.schedule.endHere();
    },
  });
}

function flownBy(resolved: ResolvedFlight, assembled: AssembledFlight, end: FlightEnd): ChildFlight {
  const { outcome, reason, fingerprint, events, extremes, recording } = finish(resolved, assembled, end);
  return { outcome, reason, fingerprint, end, events, extremes, recording };
}

process.on("message", (message: ToChild) => {
  if (message.kind === "stop") {
    isStopping = true;
    return;
  }
  fly(message)
    .then((told) => tell(told))
    .catch((error: unknown) => tell({ kind: "failed", error: plainError(error) }))
    // The parent ends this process once it has heard; without a parent there is nobody left to fly for.
    .finally(() => process.disconnect?.());
});
// A terminal's Ctrl-C reaches every process of its group; what it means the parent says.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit(0));
