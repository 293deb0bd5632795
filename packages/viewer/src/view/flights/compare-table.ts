/** A table of the flights side by side: outcome, extremes, and the first difference from the reference. */
import { effect } from "@preact/signals-core";
import { html, render, type TemplateResult } from "lit-html";
import { flightColour, letterOf } from "../../shared/colours.ts";
import { element } from "../../shared/elements.ts";
import type { EndReport } from "../protocol.ts";
import type { Alignment } from "../store/state.ts";
import type { Store } from "../store/store.ts";
import type { ViewFlight } from "../store/view-flight.ts";
import { commonEvents } from "./alignment.ts";
import { firstDifference } from "./first-difference.ts";

interface Row {
  readonly name: string;
  readonly value: (flight: ViewFlight) => string;
  /** Returns the number that is compared with the reference. */
  readonly number?: (flight: ViewFlight) => number | undefined;
  readonly digits?: number;
  /** Whether the values are texts that can be broken into lines. */
  readonly isLong?: true;
}

/** A branch has settled when its position error stays within this. */
const SETTLED_M = 0.5;

type Extremes = NonNullable<EndReport["extremes"]>;
/** Computes a number from the rows of a log, which has no summary. */
type FromRows = (flight: ViewFlight) => number | undefined;

/** Returns an extreme of a quantity over all rows. */
const extreme =
  (quantity: string, which: 0 | 1): FromRows =>
  ({ series }) =>
    series.value.get(quantity)?.range({ fromUs: 0, toUs: Infinity })?.[which];
const lowest = (quantity: string) => extreme(quantity, 0);
const highest = (quantity: string) => extreme(quantity, 1);

function number(name: string, unit: string, digits: number, of: (all: Extremes) => number, from?: FromRows): Row {
  const numberOf = (flight: ViewFlight) => {
    const extremes = flight.end.value?.extremes;
    const found = extremes === undefined ? from?.(flight) : of(extremes);
    return Number.isFinite(found) ? found : undefined;
  };
  const value = (flight: ViewFlight) => {
    const found = numberOf(flight);
    return found === undefined ? "–" : `${found.toFixed(digits)} ${unit}`;
  };
  return { name, digits, number: numberOf, value };
}

const ROWS: readonly Row[] = [
  { name: "outcome", value: ({ end }) => end.value?.outcome ?? "flying" },
  {
    name: "ends",
    value: ({ end }) => (end.value === undefined ? "–" : `${(end.value.endUs / 1e6).toFixed(2)} s`),
    number: ({ end }) => (end.value === undefined ? undefined : end.value.endUs / 1e6),
    digits: 2,
  },
  number("position error rms", "m", 2, (e) => e.positionErrorRmsM, errorRms),
  number("position error max", "m", 2, (e) => e.positionErrorMaxM, highest("error")),
  { name: `back within ${SETTLED_M} m`, value: settlingText, isLong: true },
  number("highest", "m", 1, (e) => e.altitudeMaxM, highest("altitude")),
  number("fastest", "m/s", 2, (e) => e.speedMaxMps, highest("norm velNed")),
  number("largest tilt", "°", 1, (e) => e.tiltMaxDeg),
  number("strongest wind", "m/s", 1, (e) => e.windMaxMps, highest("norm windNed")),
  number("energy", "Wh", 2, (e) => e.energyWh),
  number("lowest voltage", "V", 2, (e) => e.voltageMinV, lowest("voltage0")),
];

/** Keeps the table in an element up to date while it is shown. */
export function fillCompare(node: HTMLElement, store: Store, isDark: () => boolean): void {
  const { state } = store;
  effect(() => {
    if (!state.isComparing.value) return;
    void state.isDark.value;
    const flights = state.shown.value;
    for (const flight of flights) void flight.rowCount.value;
    const reference = state.reference.value ?? flights[0];
    render(
      reference === undefined ? html`<p>Nothing to compare yet.</p>` : table(flights, reference, store, isDark()),
      node,
    );
  });
}

function table(flights: readonly ViewFlight[], reference: ViewFlight, store: Store, isDark: boolean): TemplateResult {
  return html`<p class="options">
      <label
        >compare with
        <select @change=${(event: Event) => store.setReference(Number((event.target as HTMLSelectElement).value))}>
          ${flights.map(
            (flight) =>
              html`<option value=${flight.id} ?selected=${flight === reference}>${flight.name.value}</option>`,
          )}
        </select></label
      >
      ${alignmentChoice(flights, store)}
      <label
        ><input
          type="checkbox"
          .checked=${store.state.areDifferencesShown.value}
          @change=${() => (store.state.areDifferencesShown.value = !store.state.areDifferencesShown.peek())}
        />
        plot the differences</label
      >
    </p>
    <table role="table">
      <thead role="rowgroup">
        <tr role="row">
          <td></td>
          ${flights.map(
            (flight) =>
              html`<th scope="col" role="columnheader">
                <div>${key(flight, isDark)}<span>${flight.name.value}</span></div>
              </th>`,
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${ROWS.map((row) => bodyRow(row, flights, reference))}
        ${tableRow("first difference", flights, (flight) => (flight === reference ? "–" : differenceText(flight, reference)))}
        ${tableRow("fingerprint", flights, (flight) => html`<code>${flight.end.value?.fingerprint || "–"}</code>`)}
      </tbody>
    </table>`;
}

/** Builds the choice of the instant by which the flights are aligned. */
function alignmentChoice(flights: readonly ViewFlight[], { state }: Store): TemplateResult {
  const current = state.alignment.value;
  const choices = [
    { text: "time", value: { by: "time" } as const },
    { text: "fork", value: { by: "fork" } as const },
    { text: "first motion", value: { by: "motion" } as const },
    ...commonEvents(flights).map(({ kind, text }) => ({
      text: `event: ${text}`,
      value: { by: "event", kind } as const,
    })),
  ];
  const isCurrent = (value: Alignment) => JSON.stringify(value) === JSON.stringify(current);
  return html`<label
    >align by
    <select
      @change=${({ target }: Event) => {
        state.alignment.value = choices[(target as HTMLSelectElement).selectedIndex]!.value;
      }}
    >
      ${choices.map(({ text, value }) => html`<option ?selected=${isCurrent(value)}>${text}</option>`)}
    </select></label
  >`;
}

function key(flight: ViewFlight, isDark: boolean): HTMLElement {
  const node = element("span", "key", letterOf(flight.slot));
  node.style.setProperty("--flight", flightColour(flight.slot, isDark));
  return node;
}

function bodyRow(row: Row, flights: readonly ViewFlight[], reference: ViewFlight): TemplateResult {
  const text = (flight: ViewFlight) =>
    row.isLong === true ? row.value(flight) : html`<span>${row.value(flight)}</span>`;
  return tableRow(row.name, flights, (flight) => html`${text(flight)} ${changeOf(row, flight, reference)}`);
}

/** Builds a row. Its elements have explicit roles, because the grid layout on a phone removes their implicit roles. */
function tableRow(
  name: string,
  flights: readonly ViewFlight[],
  cell: (flight: ViewFlight) => TemplateResult | string,
): TemplateResult {
  return html`<tr role="row">
    <th scope="row" role="rowheader">${name}</th>
    ${flights.map((flight) => html`<td role="cell">${cell(flight)}</td>`)}
  </tr>`;
}

/** Shows the change from the reference in small type; empty if it rounds to zero. */
function changeOf(
  { number: numberOf, digits = 2 }: Row,
  flight: ViewFlight,
  reference: ViewFlight,
): TemplateResult | string {
  if (numberOf === undefined || flight === reference) return "";
  const [value, other] = [numberOf(flight), numberOf(reference)];
  if (value === undefined || other === undefined) return "";
  const change = value - other;
  if (Number(change.toFixed(digits)) === 0) return "";
  const sign = change < 0 ? "−" : "+";
  const percent = Math.abs((100 * change) / other).toFixed(0);
  const relative = Math.abs(other) > 1e-9 && percent !== "0" ? `, ${sign}${percent} %` : "";
  return html`<small>${sign}${Math.abs(change).toFixed(digits)}${relative}</small>`;
}

/** Returns the root mean square of the position error over the rows that have a commanded position. */
function errorRms({ rows, series }: ViewFlight): number | undefined {
  const error = series.value.get("error");
  let [sum, count] = [0, 0];
  for (let row = 0; row < rows.value.count; row += 1) {
    const value = error?.at(row) ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value * value;
    count += 1;
  }
  return count === 0 ? undefined : Math.sqrt(sum / count);
}

/** Returns how long after its fork a branch returns to its setpoint and stays there. */
function settlingText(flight: ViewFlight): string {
  const { fork, rows, series, end } = flight;
  const error = series.value.get("error");
  if (fork.value === undefined || error === undefined || end.value === undefined) return "–";
  const { forkUs } = fork.value;
  const { count } = rows.value;
  let row = count - 1;
  // The error is NaN without a commanded position, e.g. on the ground, and is then treated as settled.
  while (row >= 0 && !(error.at(row) > SETTLED_M)) row -= 1;
  const lastUs = row < 0 ? forkUs : rows.value.timeUs(row);
  if (row === count - 1 || end.value.outcome === "crashed") return "not before its end";
  return `${Math.max(0, (lastUs - forkUs) / 1e6).toFixed(1)} s after its fork`;
}

function differenceText(flight: ViewFlight, reference: ViewFlight): string {
  const [end, other] = [flight.end.value, reference.end.value];
  if (end !== undefined && other !== undefined && end.fingerprint !== "" && sameDigests(end, other)) return "same bits";
  // A log of a vehicle never has the bits of a simulated flight.
  const origins = [flight.head.value?.origin, reference.head.value?.origin];
  if (origins[0] !== origins[1] && origins.includes("log")) return "–";
  const found = firstDifference(reference.rows.value, flight.rows.value);
  return found === undefined
    ? "none in the log"
    : `${(found.tUs / 1e6).toFixed(3)} s, ${found.writer}: ${breakable(found.column)}`;
}

/** Lets the browser break a name after an underscore, so that the columns of the table stay narrow. */
function breakable(name: string): string {
  return name.replaceAll("_", "_\u200b");
}

function sameDigests(a: EndReport, b: EndReport): boolean {
  return JSON.stringify(a.digests) === JSON.stringify(b.digests);
}
