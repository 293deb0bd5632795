/**
 * The report page itself: what happened first, then where, then why.
 *
 * Built from the blocks in the document with plain elements; the only library is the one that draws the plots.
 */
import type { FlightEvent } from "@escapement/core";
import { colourOf } from "./colours.ts";
import type { ReportHead } from "./data.ts";
import { readBlocks } from "./blocks.ts";
import { LinkedPlots, plotSpecs } from "./plots.ts";
import { Table } from "./table.ts";
import { TrackView } from "./track.ts";

const MODES: Readonly<Record<number, string>> = { 0: "manual", 3: "mission", 4: "hold", 5: "return", 17: "take-off", 18: "land" };

function element(tag: string, className: string, ...children: readonly (Node | string)[]): HTMLElement {
  const node = document.createElement(tag);
  if (className !== "") node.className = className;
  node.append(...children);
  return node;
}

function headPart(head: ReportHead): HTMLElement {
  const { flown } = head;
  const copy = element("button", "", "copy the flight") as HTMLButtonElement;
  copy.addEventListener("click", () => {
    void navigator.clipboard?.writeText(JSON.stringify(flown, null, 2));
    copy.textContent = "copied";
  });
  const facts = [`${flown.autopilot.kind} autopilot`, `${flown.integrator.kind}`, `seed ${flown.seed}`, `Escapement ${head.version}`];
  return element(
    "header",
    "",
    element("h1", "", head.title),
    element("p", head.outcome === "completed" ? "outcome good" : "outcome bad", `${head.outcome} — ${head.reason}`),
    element("p", "facts", facts.join(" · ")),
    element("p", "facts", element("code", "", head.fingerprint), " ", copy),
  );
}

/** The whole flight as a strip: mode as colour, events as marks with their words. */
function timeStrip(head: ReportHead, table: Table): HTMLElement {
  const end = table.at("t", table.rows - 1) || 1;
  const ribbon = element("div", "ribbon");
  let start = 0;
  for (let i = 1; i <= table.rows; i += 1) {
    if (i < table.rows && table.at("nav0", i) === table.at("nav0", start)) continue;
    const mode = table.at("nav0", start);
    const span = element("span", "", MODES[mode] ?? `mode ${mode}`);
    const [from, to] = [table.at("t", start), table.at("t", Math.min(i, table.rows - 1))];
    span.style.cssText = `left:${(100 * from) / end}%;width:${(100 * (to - from)) / end}%;background:${colourOf(mode)}`;
    span.title = `${MODES[mode] ?? mode}: ${from.toFixed(1)} to ${to.toFixed(1)} s`;
    ribbon.append(span);
    start = i;
  }
  return element("section", "strip", ribbon, eventList(head.events));
}

function eventList(events: readonly FlightEvent[]): HTMLElement {
  const list = element("ol", "events");
  for (const { tUs, what, isTrouble } of events) {
    list.append(element("li", isTrouble ? "bad" : "", element("time", "", `${(tUs / 1e6).toFixed(2)} s`), ` ${what}`));
  }
  return list;
}

function extremesPart({ extremes: e }: ReportHead): HTMLElement {
  const rows: [string, string][] = [
    ["altitude", `${e.altitudeMaxM.toFixed(1)} m max`],
    ["speed", `${e.speedMaxMps.toFixed(2)} m/s max`],
    ["tilt", `${e.tiltMaxDeg.toFixed(1)}° max`],
    ["position error", `${e.positionErrorRmsM.toFixed(2)} m rms, ${e.positionErrorMaxM.toFixed(2)} m max`],
    ["wind", `${e.windMeanMps.toFixed(1)} m/s mean, ${e.windMaxMps.toFixed(1)} m/s max`],
    ["battery", `${e.voltageMinV.toFixed(2)} V lowest, ${e.energyWh.toFixed(2)} Wh used, ${(100 * e.batteryRemaining).toFixed(0)} % left`],
  ];
  return element("dl", "extremes", ...rows.flatMap(([name, value]) => [element("dt", "", name), element("dd", "", value)]));
}

function valueTable(table: Table): { node: HTMLElement; show: (t: number | undefined) => void } {
  const shown: [string, string, string][] = [
    ["altitude", "altitude", "m"],
    ["ground speed", "groundSpeed", "m/s"],
    ["roll", "att0", "°"],
    ["pitch", "att1", "°"],
    ["yaw", "att2", "°"],
    ["voltage", "voltage0", "V"],
    ["current", "current0", "A"],
  ];
  const node = element("p", "values", "move over a plot to read values");
  return {
    node,
    show: (t) => {
      if (t === undefined) return;
      const row = table.rowAt(t);
      node.textContent = [`${t.toFixed(2)} s`, ...shown.map(([name, column, unit]) => `${name} ${table.at(column, row).toFixed(2)} ${unit}`)].join("   ");
    },
  };
}

function build(): void {
  const blocks = readBlocks(document);
  const page = document.getElementById("page");
  const first = blocks[0];
  if (page === null || first === undefined) return;
  const tables = blocks.map(({ head, values }) => new Table(head, values));
  const values = valueTable(tables[0]!);
  const trackPlace = element("div", "place");
  page.append(...blocks.map(({ head }) => headPart(head)));
  page.append(timeStrip(first.head, tables[0]!), element("section", "top", trackPlace, extremesPart(first.head)), values.node);
  const track = new TrackView(trackPlace, tables);
  const plots = new LinkedPlots((t) => {
    values.show(t);
    track.show(t);
  });
  const plotPlace = element("section", "plots");
  page.append(plotPlace);
  for (const spec of plotSpecs(first.head)) {
    const place = element("div", "plot");
    plotPlace.append(place);
    plots.add(place, spec, tables, first.head);
  }
  const description = element("details", "", element("summary", "", "the resolved flight"), element("pre", "", JSON.stringify(first.head.flown, null, 2)));
  page.append(description);
  new ResizeObserver(() => {
    plots.resize(plotPlace.clientWidth);
    track.draw();
  }).observe(plotPlace);
}

build();
