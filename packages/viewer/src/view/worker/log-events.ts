/** The events of a log: changes of mode and arming, read from its rows, and the autopilot's text messages. */
import { type FlightEvent, SIGNALS, valueName } from "@escapement/core";
import type { LogText } from "@escapement/formats";
import type { LogRows } from "./log-rows.ts";

/** Messages of this level or a lower one are warnings. */
const WARNING_LEVEL = 4;
/** A message with the text of a change is a repetition if it is logged within this time of the change. */
const MAX_REPEAT_DELAY_US = 100_000;

export function logEvents(rows: LogRows, messages: readonly LogText[] = []): FlightEvent[] {
  const changes = [...changesOf(rows)];
  const messageEvents = messages
    .filter(
      ({ tUs, text }) =>
        !changes.some((each) => Math.abs(each.tUs - tUs) < MAX_REPEAT_DELAY_US && changeText(each) === text),
    )
    .map(eventOf);
  return [...changes, ...messageEvents].filter(({ tUs }) => tUs >= 0).sort((a, b) => a.tUs - b.tUs);
}

function* changesOf(rows: LogRows): Generator<FlightEvent> {
  const [armed, mode] = [rows.place("armed"), rows.place("navState")];
  let [wasArmed, before] = [SIGNALS.armed.initial as number, Number.NaN];
  for (let row = 0; row < rows.count; row += 1) {
    const [isArmed, now] = [rows.value(armed, row), rows.value(mode, row)];
    const tUs = rows.timeUs(row);
    if (!Number.isNaN(isArmed) && isArmed !== wasArmed) {
      const kind = isArmed === SIGNALS.armed.values.armed ? "armed" : "disarmed";
      yield { tUs, kind, severity: "info", data: {} };
      wasArmed = isArmed;
    }
    if (Number.isNaN(now) || now === before) continue;
    // The first mode is the initial state, not a change.
    if (!Number.isNaN(before)) {
      yield { tUs, kind: "mode", severity: "info", data: { mode: valueName("navState", now) } };
    }
    before = now;
  }
}

/** Returns the text of the message that this program logs for a change. */
function changeText({ kind, data }: FlightEvent): string {
  return "mode" in data ? `mode ${data.mode}` : kind;
}

function eventOf({ tUs, level, text }: LogText): FlightEvent {
  return level <= WARNING_LEVEL
    ? { tUs, kind: "autopilotWarning", severity: "warning", data: { text } }
    : { tUs, kind: "autopilotMessage", severity: "info", data: { text } };
}
