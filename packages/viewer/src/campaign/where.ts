/**
 * The section that shows where flights violate requirements: the scatter plot with a choice of axes, its legend, and
 * the panel of the chosen flight.
 */
import { shortNumber } from "@escapement/formats/campaigns";
import { element } from "../shared/elements.ts";
import { keepFitting } from "../shared/page-tools.ts";
import type { CampaignPageHead } from "./data.ts";
import { flightPanel } from "./flight-panel.ts";
import type { MarginColours } from "./margin-colours.ts";
import { drawMark, VERDICTS } from "./marks.ts";
import { bestAxes } from "./best-axes.ts";
import type { PointTable, TableColumn } from "./point-table.ts";
import { Scatter, type ScatterChoice } from "./scatter.ts";
import { section } from "./sections.ts";
import type { Selection } from "./selection.ts";
import { whereHeading } from "./where-heading.ts";

export function whereSection(head: CampaignPageHead, table: PointTable, selection: Selection): HTMLElement {
  const axes = ["varied", "measure", "margin", "end", "flight"] as const;
  const columns = axes.flatMap((role) => table.withRole(role)).filter(({ numbers }) => numbers.some(Number.isFinite));
  const margins = table.withRole("margin");
  const verdicts = table.withRole("verdict");
  const most = mostViolated(head);
  const [x, y] = bestAxes(table, margins[most]);
  const state = { x: columns.indexOf(x), y: columns.indexOf(y), by: most };
  const choice = (): ScatterChoice => {
    const [margin, verdict] = [margins[state.by], verdicts[state.by]];
    const coloured = margin === undefined || verdict === undefined ? {} : { margin, verdict };
    return { x: columns[state.x]!, y: columns[state.y]!, ...coloured };
  };
  const legend = element("div", "legend-line");
  const scatter = new Scatter(table, selection, choice(), (colours) =>
    legend.replaceChildren(...legendParts(choice(), table.size, colours)),
  );
  const select = (label: string, names: readonly string[], key: keyof typeof state) =>
    selectField(label, names, state[key], (index) => {
      state[key] = index;
      scatter.show(choice());
    });
  const names = columns.map(axisName);
  const controls = element("div", "controls", select("across", names, "x"), select("up", names, "y"));
  if (margins.length > 0)
    controls.append(
      select(
        "colour by",
        margins.map(({ name }) => name),
        "by",
      ),
    );
  const place = element("div", "scatter-place", scatter.canvas);
  keepFitting(
    place,
    () => scatter.draw(),
    () => scatter.draw(),
  );
  const note = samplingNote(head);
  const plot = element("div", "scatter-part", controls, place, legend, ...note);
  return section(whereHeading(head.summary), element("div", "where", plot, flightPanel(head, table, selection)));
}

function mostViolated({ summary }: CampaignPageHead): number {
  let most = 0;
  summary.requirements.forEach(({ flights }, i) => {
    if (flights.violated > summary.requirements[most]!.flights.violated) most = i;
  });
  return most;
}

function axisName({ role, name }: TableColumn): string {
  return role === "margin" ? `margin of ${name}` : name;
}

function selectField(
  label: string,
  names: readonly string[],
  selected: number,
  onChange: (index: number) => void,
): HTMLElement {
  const field = document.createElement("select");
  field.append(...names.map((name) => element("option", "", name)));
  field.selectedIndex = selected;
  field.addEventListener("change", () => onChange(field.selectedIndex));
  return element("label", "", `${label} `, field);
}

/** Builds the legend: the shapes of the verdicts that occur, and the colour ramp of the margins with its ends. */
function legendParts(
  { margin, verdict }: ScatterChoice,
  size: number,
  colours: MarginColours | undefined,
): HTMLElement[] {
  if (margin === undefined || verdict === undefined || colours === undefined) return [];
  const present = new Set(Array.from({ length: size }, (_, i) => verdict.words?.[verdict.numbers[i]!]));
  const words = VERDICTS.filter((word) => present.has(word)).map((word) => {
    const sample = word === "violated" ? -Infinity : word === "holds" ? Infinity : NaN;
    return element("span", "mark", markPicture(word, colours.of(sample)), word ?? "no result");
  });
  const [below, above] = colours.reach;
  const ramp = element("span", "ramp");
  ramp.style.background = `linear-gradient(to right, ${colours.ramp.join(", ")})`;
  const end = (value: number) => `${shortNumber(value).replace("-", "−")} ${margin.unit}`.trim();
  const scale = element("span", "scale", `margin ${end(below > 0 ? -below : 0)} `, ramp, ` ${end(above)}`);
  return [...words, ...(colours.ramp.length === 0 ? [] : [scale])];
}

function markPicture(word: (typeof VERDICTS)[number], colour: string): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [28, 28];
  const context = canvas.getContext("2d")!;
  context.scale(2, 2);
  drawMark(context, 7, 7, word, colour);
  return canvas;
}

function samplingNote({ summary, points, notable, notablePoints }: CampaignPageHead): HTMLElement[] {
  if (points === summary.flights) return [];
  const kept =
    notablePoints === notable
      ? "all that violate or have no result are drawn"
      : `${notablePoints} of the ${notable} that violate or have no result are drawn`;
  return [element("p", "facts", `${points} of ${summary.flights} flights are drawn; ${kept}.`)];
}
