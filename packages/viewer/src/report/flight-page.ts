/** The page of one flight: events and track, then plots with the values at the cursor beside them. */
import { autopilotText, windText } from "@escapement/core";
import type { FlightHead } from "./data.ts";
import { button, element } from "../shared/elements.ts";
import { keepFitting } from "../shared/page-tools.ts";
import { eventList, extremesTable, recordingNotes } from "./flight-parts.ts";
import { type DrawnLine, LinkedPlots } from "./linked-plots.ts";
import { flightDetails, pageHead } from "./page-parts.ts";
import { flightPlots, type Line, type PlotSpec } from "./plots.ts";
import { Strip } from "./strip.ts";
import type { Table } from "./table.ts";
import { TrackView } from "./track.ts";
import { ValueTable } from "./values.ts";
import { verdictSection } from "./verdicts.ts";

const SET_DASH = [6, 4];

export function buildFlightPage(page: HTMLElement, head: FlightHead, table: Table): void {
  const strip = new Strip([head], [table]);
  const values = new ValueTable(head, table);
  const trackPlace = element("div", "place");
  const plotPlace = element("section", "plots");
  const reset = button("show the whole flight", () => plots.zoom(plots.whole));
  reset.className = "reset";
  const required = verdictSection(head, table.endS, (mark) => {
    strip.showRequirement(mark);
    plots.showRequirement(mark);
  });
  page.append(
    element("div", "", flightHead(head)),
    ...(head.verdicts === undefined ? [] : [required.node]),
    strip.node,
    element("section", "top", trackPlace, element("div", "", extremesTable([head]), eventList(head.events))),
    element("div", "body", element("div", "", reset, plotPlace), values.node),
    flightDetails(head.definition),
  );
  const track = new TrackView(trackPlace, [table], head.waypoints);
  const plots: LinkedPlots = new LinkedPlots(table.column("t"), head, {
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
  for (const spec of flightPlots(head)) addPlot(plots, plotPlace, spec, table);
  if (head.verdicts !== undefined) required.chooseFirst();
  keepFitting(
    plotPlace,
    () => {
      plots.resize(plotPlace.clientWidth);
      track.draw();
    },
    () => plots.redraw(),
  );
}

function addPlot(plots: LinkedPlots, place: HTMLElement, spec: PlotSpec, table: Table): void {
  const toDrawnLine = ({ label, colour, column, isSetpoint }: Line): DrawnLine => ({
    label,
    colour,
    values: table.on(table.column("t"), column),
    ...(isSetpoint === true ? { dash: SET_DASH, width: 1.3 } : {}),
  });
  plots.add(place, spec, spec.lines.filter(({ column }) => table.has(column)).map(toDrawnLine));
}

function flightHead(head: FlightHead): HTMLElement {
  const { definition, outcome, reason } = head;
  const { physicsPeriodS } = definition.timeline;
  const facts = [
    `${definition.vehicle.rotors.length} rotors, ${Number(definition.vehicle.massKg.toPrecision(4))} kg`,
    autopilotText(definition.autopilot.kind),
    physicsPeriodS > 0 ? `${definition.integrator.kind} ${physicsPeriodS * 1e3} ms` : definition.integrator.kind,
    windText(definition.wind.kind),
    `seed ${definition.seed}`,
  ];
  const node = pageHead({
    ...head,
    subtitle: `${outcome} — ${reason}`,
    mood: outcome === "completed" ? "good" : "bad",
    facts,
  });
  node.append(...recordingNotes(head));
  return node;
}
