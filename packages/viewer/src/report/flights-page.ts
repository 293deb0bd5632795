/**
 * The page of several flights: a table, the tracks, and one plot per quantity with one line per flight. A second plot
 * beside it shows the difference of every flight from the first.
 */
import { colourOf, dashOf, letterOf } from "../shared/colours.ts";
import type { FlightContrast } from "./contrast.ts";
import type { FlightHead } from "./data.ts";
import { button, element } from "../shared/elements.ts";
import { keepFitting } from "../shared/page-tools.ts";
import { eventList, extremesTable, recordingNotes } from "./flight-parts.ts";
import { flyLink } from "./fly-this.ts";
import { type DrawnLine, LinkedPlots } from "./linked-plots.ts";
import { flightDetails } from "./page-parts.ts";
import { flightPlots, type Line, type PlotSpec } from "./plots.ts";
import { Strip } from "./strip.ts";
import type { Table } from "./table.ts";
import { TrackView } from "./track.ts";
import { verdictsTable } from "./verdicts.ts";

export function buildFlightsPage(page: HTMLElement, heads: readonly FlightHead[], tables: readonly Table[]): void {
  const [first] = heads as [FlightHead];
  const longest = tables.reduce((a, b) => (b.endS > a.endS ? b : a));
  const strip = new Strip(heads, tables);
  const trackPlace = element("div", "place");
  const plotPlace = element("section", "plots pairs");
  const reset = button("show the whole flight", () => plots.zoom(plots.whole));
  reset.className = "reset";
  const numbers = element("div", "scrolled", extremesTable(heads));
  const link = flyLink();
  page.append(
    element(
      "header",
      "",
      element("h1", "", `${first.title}: ${heads.length} flights`),
      ...(link === undefined ? [] : [element("p", "facts", link)]),
      flightTable(heads, tables),
    ),
    ...heads.flatMap((head, i) => recordingNotes(head, `${letterOf(i)}: `)),
    ...(first.verdicts === undefined ? [] : [element("section", "requirements scrolled", verdictsTable(heads))]),
    strip.node,
    element("section", "top", trackPlace, element("div", "", numbers, ...heads.map(ownEvents))),
    reset,
    plotPlace,
    ...heads.map(({ definition, title }, i) =>
      flightDetails(definition, `the resolved flight ${letterOf(i)}, ${title}`),
    ),
  );
  const track = new TrackView(trackPlace, tables, first.waypoints);
  const forks = heads.flatMap(({ fromFirst }, i) =>
    fromFirst?.forkS === undefined ? [] : [{ timeS: fromFirst.forkS, colour: colourOf(i) }],
  );
  const plots: LinkedPlots = new LinkedPlots(
    longest.column("t"),
    { bands: first.bands, events: first.events, forks },
    {
      onTime: (t) => {
        track.show(t);
        strip.showTime(t);
      },
      onZoom: (span) => {
        strip.showSpan(span);
        reset.classList.toggle("needed", span.from > plots.whole.from || span.to < plots.whole.to);
      },
    },
  );
  for (const spec of flightPlots(first)) addPlots(plots, plotPlace, spec, tables, longest.column("t"));
  keepFitting(
    plotPlace,
    () => {
      plots.resize((plotPlace.firstElementChild as HTMLElement).clientWidth);
      track.draw();
    },
    () => plots.redraw(),
  );
}

/** Adds two plots for each quantity that all flights have: its values, and the differences from the first flight. */
function addPlots(
  plots: LinkedPlots,
  place: HTMLElement,
  spec: PlotSpec,
  tables: readonly Table[],
  times: Float32Array,
): void {
  const quantities = spec.lines.filter(
    ({ column, isSetpoint }) => isSetpoint !== true && tables.every((table) => table.has(column)),
  );
  for (const quantity of quantities) {
    const title = quantities.length === 1 ? spec.title : `${spec.title}, ${quantity.label}`;
    const lines = tables.map((table, i) => flightLine(table, i, quantity, times));
    const [a, ...others] = lines as [DrawnLine, ...DrawnLine[]];
    const differences = others.map((line) => ({ ...line, values: difference(line.values, a.values) }));
    const names = others.length === 1 ? "b − a" : "difference from a";
    for (const [name, drawn, minSpan] of [
      [title, lines, spec.minSpan],
      [`${title}, ${names}`, differences, 0],
    ] as const) {
      const cell = element("div", "");
      place.append(cell);
      const { minSpan: _usual, ...rest } = spec;
      plots.add(
        cell,
        { ...rest, title: name, showsValues: true, ...(minSpan === undefined ? {} : { minSpan }) },
        drawn,
        150,
      );
    }
  }
}

function flightLine(table: Table, flight: number, { column }: Line, times: Float32Array): DrawnLine {
  const dash = dashOf(flight);
  return {
    label: letterOf(flight),
    colour: colourOf(flight),
    values: table.on(times, column),
    ...(dash.length === 0 ? {} : { dash }),
  };
}

function difference(values: DrawnLine["values"], from: DrawnLine["values"]): (number | null)[] {
  return values.map((value, i) => {
    const reference = from[i];
    return value === null || reference === null || reference === undefined ? null : value - reference;
  });
}

/** Builds a table with one row per flight. On a small screen the cells of a row are stacked, each with its name. */
function flightTable(heads: readonly FlightHead[], tables: readonly Table[]): HTMLElement {
  const columns: readonly (readonly [name: string, text: (head: FlightHead, i: number) => string])[] = [
    ["recording", ({ file, title }) => file ?? title],
    ["change from a", ({ fromFirst }) => (fromFirst === undefined ? "" : changeText(fromFirst))],
    ["outcome", ({ outcome, reason }) => `${outcome} — ${reason}`],
    ["ends", (_head, i) => `${tables[i]!.endS.toFixed(2)} s`],
    ["position error", ({ extremes }) => `${extremes.positionErrorRmsM.toFixed(2)} m rms`],
    ["first difference", ({ fromFirst }) => (fromFirst === undefined ? "" : differenceText(fromFirst))],
    ["fingerprint", ({ fingerprint }) => (fingerprint === "" ? "none" : fingerprint)],
  ];
  const rows = heads.map((head, i) =>
    element(
      "tr",
      "",
      element("th", "", flightKey(i)),
      ...columns.map(([name, text]) => {
        const cell = element("td", "", text(head, i));
        cell.dataset["name"] = name;
        if (name === "outcome") cell.classList.add(head.outcome === "completed" ? "good" : "bad");
        return cell;
      }),
    ),
  );
  const names = element("tr", "", ...["", ...columns.map(([name]) => name)].map((name) => element("th", "", name)));
  return element("table", "flights", element("thead", "", names), element("tbody", "", ...rows));
}

/** Builds the letter of a flight, in the flight's colour. */
function flightKey(flight: number): HTMLElement {
  const key = element("b", "key", letterOf(flight));
  key.style.color = colourOf(flight);
  return key;
}

function changeText({ changes, forkS }: FlightContrast): string {
  if (changes === undefined) return "a different flight";
  if (changes.length === 0) return "none";
  return `${forkS === undefined || forkS === 0 ? "from the start" : `at ${forkS} s`}: ${changes.join("; ")}`;
}

function differenceText({ difference: found }: FlightContrast): string {
  return found === undefined ? "the same bits" : `${found.timeS.toFixed(3)} s, ${found.stage}: ${found.signal}`;
}

/** Lists the events of a flight; for a branch, only those at and after its fork. */
function ownEvents({ events, fromFirst }: FlightHead, index: number): HTMLElement {
  const { forkS } = fromFirst ?? {};
  const key = flightKey(index);
  if (forkS === undefined || forkS === 0) return eventList(events, key);
  return eventList(
    events.filter(({ tUs }) => tUs >= 1e6 * forkS),
    element("span", "", key, ` from ${forkS} s on`),
  );
}
