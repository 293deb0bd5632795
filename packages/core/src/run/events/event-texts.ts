/**
 * The texts of flight events: one sentence fragment per kind.
 *
 * Events themselves carry only data. The terminal, the JSON summary, the report page, pictures and ULog messages all
 * use the texts below. The types require a text for every kind.
 */
import type { EventData, EventKind, FlightEvent } from "./events.ts";

type EventTexts = { readonly [K in EventKind]: (data: EventData[K]) => string };

export const EVENT_TEXTS: EventTexts = {
  armed: () => "armed",
  disarmed: () => "disarmed",
  disarmDenied: () => "disarm denied, because the vehicle is in the air",
  mode: ({ mode }) => `mode ${mode}`,
  liftOff: () => "lift-off",
  missionItem: ({ name }) => name,
  missionFinished: () => "mission finished",
  landed: ({ speedMps, distanceM }) => `landed (${speedMps.toFixed(2)} m/s, ${distanceM.toFixed(2)} m from home)`,
  gust: ({ speedMps }) => (speedMps > 0.05 ? `gust of ${speedMps.toFixed(1)} m/s` : "gust begins"),
  gustOver: () => "gust over",
  parameter: ({ name, value }) => `${name} = ${value}`,
  setting: ({ text }) => text,
  batteryWarning: ({ level }) => `battery ${level}`,
  failsafe: ({ cause }) => `failsafe: ${cause}`,
  motorJammed: ({ motor }) => `motor ${motor} jammed`,
  motorOff: ({ motor }) => `motor ${motor} off`,
  motorStuck: ({ motor, duty }) => `motor ${motor} stuck at duty ${duty.toFixed(2)}`,
  motorLoss: ({ motor, gain }) => `motor ${motor} keeps ${(100 * gain).toFixed(0)} % of its duty`,
  motorNoisy: ({ motor }) => `motor ${motor} noisy`,
  motorHealthy: ({ motor }) => `motor ${motor} healthy again`,
  propellerChipped: ({ motor, share }) => `propeller ${motor} chipped by ${(100 * share).toFixed(0)} % of its radius`,
  propellerUnbalanced: ({ motor, imbalanceGmm }) => `propeller ${motor} unbalanced by ${imbalanceGmm.toFixed(1)} g.mm`,
  propellerWhole: ({ motor }) => `propeller ${motor} whole again`,
  propellerBalanced: ({ motor }) => `propeller ${motor} balanced again`,
  batteryOff: ({ battery }) => `battery ${battery} cut off`,
  batteryOn: ({ battery }) => `battery ${battery} connected again`,
  sensorFault: ({ sensor, fault }) => `${sensor}: ${fault}`,
  sensorHealthy: ({ sensor }) => `${sensor} healthy again`,
  autopilotMessage: ({ text }) => `"${text}"`,
  autopilotWarning: ({ text }) => `"${text}"`,
  goto: ({ posNedM: [n = 0, e = 0, d = 0] }) =>
    `go to ${n.toFixed(1)} m north, ${e.toFixed(1)} m east, ${(-d).toFixed(1)} m up`,
};

/** Returns the text of an event, followed by the note of the scenario event that caused it. */
export function eventTextAndNote(event: FlightEvent): string {
  const note = event.cause?.note;
  return note === undefined ? eventText(event) : `${eventText(event)} — ${note}`;
}

/** Returns the text of an event, without its time. */
export function eventText(event: Pick<FlightEvent, "kind" | "data">): string {
  return (EVENT_TEXTS[event.kind] as (data: EventData[EventKind]) => string)(event.data);
}
