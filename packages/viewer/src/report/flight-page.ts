/**
 * The page of a flight: events, track, then plots. For two flights: the same side by side, with the difference of every
 * quantity below.
 */
import { autopilotText, eventTextAndNote, measuredExtremes, type MeasuredExtremes, windText } from "@escapement/core";
import { colourOf } from "./colours.ts";
import type { FlightHead } from "./data.ts";
import { button, element, tableOf } from "./elements.ts";
import { type DrawnLine, LinkedPlots } from "./linked-plots.ts";
import { flightDetails, keepFitting, pageHead } from "./page-parts.ts";
import { flightPlots, type Line, type PlotSpec } from "./plots.ts";
import { Strip } from "./strip.ts";
import type { Table } from "./table.ts";
import { TrackView } from "./track.ts";
import { ValueTable } from "./values.ts";

const SET_DASH = [6, 4];
const OTHER_DASH = [3, 3];

export function buildFlightPage(page: HTMLElement, heads: readonly FlightHead[], tables: readonly Table[]): void {
  const [head] = heads as [FlightHead];
  const longest = tables.reduce((a, b) => (b.endS > a.endS ? b : a));
  const strip = new Strip(heads, tables);
  const values = new ValueTable(head, tables);
  const trackPlace = element("div", "place");
  const plotPlace = element("section", "plots");
  const reset = button("show the whole flight", () => plots.zoom(plots.whole));
  reset.className = "reset";
  page.append(
    element(
      "div",
      heads.length > 1 ? "heads" : "",
      ...heads.map((each, i) => flightHead(each, heads.length > 1 ? "ab"[i] : undefined)),
    ),
    strip.node,
    element("section", "top", trackPlace, element("div", "", extremes(heads), ...heads.map(eventList))),
    element("div", "body", element("div", "", reset, plotPlace), values.node),
    ...heads.map(({ definition, title }, i) =>
      flightDetails(definition, heads.length > 1 ? `the resolved flight ${"ab"[i]}, ${title}` : undefined),
    ),
  );
  const track = new TrackView(trackPlace, tables, head.waypoints);
  const marks = { bands: heads.flatMap(({ bands }) => bands), events: heads.flatMap(({ events }) => events) };
  const plots: LinkedPlots = new LinkedPlots(longest.column("t"), marks, {
    onTime: (t) => {
      values.show(t);
      track.show(t);
      strip.showTime(t);
    },
    onZoom: (span) => {
      strip.showSpan(span);
      reset.classList.toggle("needed", span.from > plots.whole.from || span.to < plots.whole.to);
    },
  });
  for (const spec of flightPlots(head)) addPlot(plots, plotPlace, spec, tables, longest.column("t"));
  keepFitting(
    plotPlace,
    () => {
      plots.resize(plotPlace.clientWidth);
      track.draw();
    },
    () => plots.redraw(),
  );
}

function addPlot(
  plots: LinkedPlots,
  place: HTMLElement,
  spec: PlotSpec,
  tables: readonly Table[],
  times: Float32Array,
): void {
  const [a, b] = tables as [Table, Table | undefined];
  const drawn = (table: Table, { label, colour, column }: Line, more: Partial<DrawnLine>): DrawnLine => ({
    label,
    colour,
    values: table.on(times, column),
    ...more,
  });
  if (b === undefined) {
    const style = ({ isSetpoint }: Line): Partial<DrawnLine> =>
      isSetpoint === true ? { dash: SET_DASH, width: 1.3 } : {};
    plots.add(
      place,
      spec,
      spec.lines.filter(({ column }) => a.has(column)).map((line) => drawn(a, line, style(line))),
    );
    return;
  }
  const lines = spec.lines.filter(({ column, isSetpoint }) => isSetpoint !== true && a.has(column) && b.has(column));
  if (lines.length === 0) return;
  plots.add(place, spec, [
    ...lines.map((line) => drawn(a, line, { label: `${line.label} a` })),
    ...lines.map((line) => drawn(b, line, { label: `${line.label} b`, dash: OTHER_DASH })),
  ]);
  const differences = lines.map(({ label, column, colour }) => {
    const [left, right] = [a.on(times, column), b.on(times, column)];
    return {
      label,
      colour,
      values: left.map((value, i) => (value === null || right[i] === null ? null : right[i]! - value)),
    };
  });
  plots.add(place, { ...spec, title: `${spec.title}, b − a`, leastSpan: 0 }, differences, 120);
}

function flightHead(head: FlightHead, letter: string | undefined): HTMLElement {
  const { definition, outcome, reason, missing } = head;
  const { physicsPeriodS } = definition.timeline;
  const facts = [
    `${definition.vehicle.rotors.length} rotors, ${definition.vehicle.massKg} kg`,
    autopilotText(definition.autopilot.kind),
    physicsPeriodS > 0 ? `${definition.integrator.kind} ${physicsPeriodS * 1e3} ms` : definition.integrator.kind,
    windText(definition.wind.kind),
    `seed ${definition.seed}`,
  ];
  const node = pageHead({
    ...head,
    title: letter === undefined ? head.title : `${letter}  ${head.title}`,
    subtitle: `${outcome} — ${reason}`,
    mood: outcome === "completed" ? "good" : "bad",
    facts,
  });
  if (missing !== undefined) node.append(element("p", "bad", `incomplete recording: ${missing}`));
  if (head.rowsPerBucket > 1) {
    const text = `thinned for the screen: of every ${head.rowsPerBucket} log rows the lowest and the highest value are drawn`;
    node.append(element("p", "facts", text));
  }
  return node;
}

type ExtremeText = (extremes: FlightHead["extremes"]) => string;

/** Leaves out what was not measured; a row that only one of two flights has shows a dash for the other. */
function extremes(heads: readonly FlightHead[]): HTMLElement {
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
  return tableOf(
    ["", ...(heads.length > 1 ? ["a", "b"] : [""])],
    cells,
    heads.length > 1 ? "extremes" : "extremes alone",
  );
}

function eventList({ events }: FlightHead, index: number, heads: readonly FlightHead[]): HTMLElement {
  const list = element("ol", "events");
  if (heads.length > 1) {
    const name = element("li", "", element("b", "", "ab"[index]!));
    name.style.color = colourOf(index);
    list.append(name);
  }
  for (const event of events) {
    const time = element("time", "", `${(event.tUs / 1e6).toFixed(2)} s`);
    list.append(element("li", event.severity === "warning" ? "bad" : "", time, ` ${eventTextAndNote(event)}`));
  }
  return list;
}
