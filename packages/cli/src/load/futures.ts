/**
 * Reads the futures of `escapement branch` from its flags: the events that each branch adds.
 *
 * Every branch gets the events of `--event`. Each `--future` and each value of `--sweep` makes one branch.
 */
import { isPlainObject, type PlainObject, SimError } from "@escapement/core";
import { readFlightText } from "@escapement/formats";
import { cliErrors } from "../errors.ts";

export interface Future {
  /** How this future differs from the others, e.g. `motorLoss.gain = 0.4`. */
  readonly label: string;
  readonly events: readonly PlainObject[];
}

interface FutureFlags {
  readonly event: readonly string[];
  readonly future: readonly string[];
  readonly sweep?: string;
}

const MAX_FUTURES = 1000;

export function futuresOf({ event, future, sweep }: FutureFlags): readonly Future[] {
  const shared = event.map(readEvent);
  const single = future.map((text) => ({ label: text, events: [...shared, readEvent(text)] }));
  const swept = sweep === undefined ? [] : sweptFutures(sweep, shared);
  const all = [...single, ...swept];
  return all.length > 0 ? all : [{ label: event.join("; ") || "no change", events: shared }];
}

/** Reads an event written on one line: `motorOff = { motor = 2 }`, or just `rtl`. */
function readEvent(text: string): PlainObject {
  const inline = /^[A-Za-z]+$/.test(text.trim()) ? `${text.trim()} = true` : text;
  try {
    const { event } = readFlightText(`event = { ${inline} }`, "--event.toml").object;
    if (isPlainObject(event)) return event;
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
  }
  throw cliErrors.badEvent({
    what: `${JSON.stringify(text)} is not an event`,
    fix: "write e.g. --event 'motorOff = { motor = 2 }', --event rtl, or --event 'at = \"30 s\", hold = true'",
  });
}

/**
 * Makes one future per value of `motorLoss.gain=0.2,0.4`, or of `motorLoss.gain=0.2:0.8:4` (from, to, count). Each
 * future has the `shared` events, of which the last one with the key `motorLoss` gets the value.
 */
function sweptFutures(sweep: string, shared: readonly PlainObject[]): Future[] {
  const [, path = "", list = ""] = /^([A-Za-z0-9_.]+)=(.+)$/.exec(sweep.trim()) ?? [];
  const keys = path.split(".");
  const at = shared.map((event) => keys[0]! in event).lastIndexOf(true);
  const values = valuesOf(list);
  if (path === "" || at < 0 || values === undefined) {
    throw cliErrors.badEvent({
      what: at < 0 && path !== "" ? `no --event has ${JSON.stringify(keys[0])}` : `--sweep ${sweep} is not key=values`,
      fix: "write e.g. --event 'motorLoss = { motor = 2, gain = 1 }' --sweep motorLoss.gain=0.2,0.4 or motorLoss.gain=0.2:0.8:4",
    });
  }
  return values.map((value) => ({
    label: `${path} = ${value}`,
    events: shared.map((event, i) => (i === at ? withValue(event, keys, value) : event)),
  }));
}

function valuesOf(list: string): number[] | undefined {
  const [from = NaN, to = NaN, count = NaN] = list.split(":").map(Number);
  const isRange = list.includes(":");
  if (isRange && !(Number.isSafeInteger(count) && count >= 2 && count <= MAX_FUTURES)) return undefined;
  const values = isRange
    ? Array.from({ length: count }, (_, i) => Number((from + ((to - from) * i) / (count - 1)).toPrecision(12)))
    : list.split(",").map(Number);
  return values.length <= MAX_FUTURES && values.every(Number.isFinite) ? values : undefined;
}

/** Returns the event with one value replaced; a number in the path is a list index. */
function withValue(old: unknown, [first, ...rest]: readonly string[], value: number): PlainObject {
  const table = (Array.isArray(old) ? [...(old as unknown[])] : { ...(old as PlainObject) }) as Record<string, unknown>;
  table[first!] = rest.length === 0 ? value : withValue(table[first!] ?? {}, rest, value);
  return table;
}
