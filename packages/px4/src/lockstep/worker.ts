/** The child process that flies with the PX4 library. It runs engine, plant, library and sinks for one flight. */
import { coreRegistry, parseMeasure, replayFlight, Run } from "@escapement/core";
import type { Sink } from "@escapement/core";
import { px4Kinds } from "../kinds.ts";
import { LockstepAutopilot } from "./autopilot.ts";
import { plainError } from "./child-protocol.ts";
import type { FlyMessage, FromChild, ReplayMessage, SentFlight, SinkModule, ToChild } from "./child-protocol.ts";

const PROGRESS_INTERVAL_MS = 200;

/** Set when the parent requests the end of the flight. */
const stop = { aborted: false };

function send(message: FromChild): Promise<void> {
  return new Promise((done) => process.send?.(message, () => done()));
}

async function openSinks(module: SinkModule | undefined, resolved: FlyMessage["resolved"]): Promise<readonly Sink[]> {
  if (module === undefined) return [];
  const { openSinks: open } = (await import(module.url)) as {
    openSinks: (data: unknown, flight: FlyMessage["resolved"]) => Promise<readonly Sink[]>;
  };
  return open(module.data, resolved);
}

/** The last message: a result, or an error with the result so far. */
type LastMessage = Extract<FromChild, { kind: "done" | "replayed" | "failed" }>;

const registry = coreRegistry.with(px4Kinds);

async function replay({ recording, options }: ReplayMessage): Promise<LastMessage> {
  await send({ kind: "stage", stage: "flying" });
  return { kind: "replayed", result: replayFlight(recording, { ...options, registry }) };
}

async function fly({ resolved, codegen, record, measures, sinks: module }: FlyMessage): Promise<LastMessage> {
  const sinks = await openSinks(module, resolved);
  let reportedAtMs = performance.now();
  const run = new Run(resolved, {
    registry,
    record,
    codegen,
    measures: measures.map(({ name, text }) => parseMeasure(text, name)),
    sinks,
    signal: stop,
    onPause: async () => {
      if (performance.now() - reportedAtMs < PROGRESS_INTERVAL_MS) return;
      reportedAtMs = performance.now();
      await send({ kind: "progress", tUs: run.flight.clock.us });
      // Yield to the event loop once, so that messages from the parent arrive.
      await new Promise((done) => setImmediate(done));
    },
  });
  const { autopilot } = run.flight.parts;
  await send({ kind: "stage", stage: "creating" });
  if (autopilot instanceof LockstepAutopilot) autopilot.open();
  await send({ kind: "stage", stage: "flying" });
  const startedMs = performance.now();
  const { failure } = await run.toEnd();
  const wallS = (performance.now() - startedMs) / 1e3;
  const flight = flightToSend(run, record, wallS);
  return failure === undefined ? { kind: "done", flight } : { kind: "failed", error: plainError(failure), flight };
}

/**
 * Returns the result without functions, which cannot be sent, and without the resolved flight, which the parent has.
 */
function flightToSend(run: Run, record: boolean, wallS: number): SentFlight {
  const { resolved: _resolved, ...result } = run.result();
  return { ...result, wallS, ...(record ? { recording: run.recorded().recording } : {}) };
}

process.on("message", (message: ToChild) => {
  if (message.kind === "stop") {
    stop.aborted = true;
    return;
  }
  (message.kind === "replay" ? replay(message) : fly(message))
    .then(send)
    .catch((error: unknown) => send({ kind: "failed", error: plainError(error) }))
    // The parent ends this process when it has received the message. If there is no parent, the process ends here.
    .finally(() => process.disconnect?.());
});
// Ctrl-C in a terminal is sent to every process of the group. Ignore it here, because the parent handles it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit(0));
