/** Parts that the pages of one flight and of several flights share: extremes, events and notes. */
import { eventTextAndNote, type FlightEvent, measuredExtremes, type MeasuredExtremes } from "@escapement/core";
import { letterOf } from "../shared/colours.ts";
import type { FlightHead } from "./data.ts";
import { element, tableOf } from "../shared/elements.ts";

type ExtremeText = (extremes: FlightHead["extremes"]) => string;

/** Builds a table with a row per extreme that some flight measured. A flight that did not measure it shows a dash. */
export function extremesTable(heads: readonly FlightHead[]): HTMLElement {
  const rows: [string, ExtremeText, needs?: keyof MeasuredExtremes][] = [
    ["altitude", (e) => `${e.altitudeMaxM.toFixed(1)} m max`],
    ["speed", (e) => `${e.speedMaxMps.toFixed(2)} m/s max`],
    ["tilt", (e) => `${e.tiltMaxDeg.toFixed(1)}° max`],
    ["from home", (e) => `${e.distanceMaxM.toFixed(1)} m max`],
    [
      "position error",
      (e) => `${e.positionErrorRmsM.toFixed(2)} m rms, ${e.positionErrorMaxM.toFixed(2)} m max`,
      "positionError",
    ],
    ["wind", (e) => `${e.windMeanMps.toFixed(1)} m/s mean, ${e.windMaxMps.toFixed(1)} m/s max`, "wind"],
    ["voltage", (e) => `${e.voltageMinV.toFixed(2)} V lowest`, "battery"],
    ["energy", (e) => `${e.energyWh.toFixed(2)} Wh used, ${e.powerMeanW.toFixed(0)} W mean`, "battery"],
    ["charge", (e) => `${(100 * e.batteryRemaining).toFixed(0)} % left`, "battery"],
  ];
  const measured = heads.map((head) => measuredExtremes(head.extremes));
  const cells = rows
    .filter(([, , needs]) => needs === undefined || measured.some((of) => of[needs]))
    .map(([name, text, needs]) => [
      name,
      ...heads.map((head, i) => (needs === undefined || measured[i]![needs] ? text(head.extremes) : "—")),
    ]);
  const isAlone = heads.length === 1;
  return tableOf(
    ["", ...(isAlone ? [""] : heads.map((_, i) => letterOf(i)))],
    cells,
    isAlone ? "extremes alone" : "extremes",
  );
}

/** Lists the events of a flight. `name`, if given, is shown above them. */
export function eventList(events: readonly FlightEvent[], name?: HTMLElement): HTMLElement {
  const list = element("ol", "events");
  if (name !== undefined) list.append(element("li", "whose", name));
  for (const event of events) {
    const time = element("time", "", `${(event.tUs / 1e6).toFixed(2)} s`);
    list.append(element("li", event.severity === "warning" ? "bad" : "", time, ` ${eventTextAndNote(event)}`));
  }
  return list;
}

/** Notes that a recording is incomplete, or that it was downsampled for the page. */
export function recordingNotes({ missing, rowsPerBucket }: FlightHead, name = ""): HTMLElement[] {
  const text = `${name}downsampled: the plots show the lowest and the highest value of every ${rowsPerBucket} log rows`;
  return [
    ...(missing === undefined ? [] : [element("p", "bad", `${name}incomplete recording: ${missing}`)]),
    ...(rowsPerBucket > 1 ? [element("p", "facts", text)] : []),
  ];
}
