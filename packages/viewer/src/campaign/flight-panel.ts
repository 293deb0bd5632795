/** The panel of the chosen flight: its outcome, its varied values, and the commands that fly it again. */
import { element } from "../shared/elements.ts";
import { commandList } from "./commands.ts";
import type { CampaignPageHead } from "./data.ts";
import { cellText, type PointTable, type TableColumn } from "./point-table.ts";
import type { Selection } from "./selection.ts";
import { verdictMark } from "./verdict-words.ts";

/** If less of the panel than this is in view, the page scrolls to it. */
const MIN_VISIBLE_PX = 160;

/** The suggested branch begins this long before the instant that decides the verdict. */
const LEAD_S = 2;

export function flightPanel(head: CampaignPageHead, table: PointTable, selection: Selection): HTMLElement {
  const content = element("div", "panel-content");
  content.setAttribute("aria-live", "polite");
  const panel = element("section", "flight-panel", element("h3", "", "flight"), numberField(head, selection), content);
  panel.setAttribute("aria-label", "chosen flight");
  selection.onChange((k) => {
    content.replaceChildren(...describe(head, table, k));
    if (k !== undefined) bringIntoView(panel);
  });
  return panel;
}

/** Scrolls to the panel. On narrow screens it is below the plot, so a click on a point would seem to do nothing. */
function bringIntoView(panel: HTMLElement): void {
  const { top } = panel.getBoundingClientRect();
  if (top > innerHeight - MIN_VISIBLE_PX) panel.scrollIntoView({ block: "center" });
}

/** Builds the field that chooses a flight by its number, even if the flight is not drawn. */
function numberField({ summary }: CampaignPageHead, selection: Selection): HTMLElement {
  const input = document.createElement("input");
  Object.assign(input, { type: "number", min: "0", step: "1", max: String(summary.campaign.flights - 1) });
  input.placeholder = "number";
  input.setAttribute("aria-label", "number of the flight");
  input.addEventListener("change", () => {
    if (/^\d{1,9}$/.test(input.value)) selection.choose(Number(input.value));
  });
  selection.onChange((k) => {
    input.value = k === undefined ? "" : String(k);
  });
  return element("label", "number", "#", input);
}

function describe({ summary }: CampaignPageHead, table: PointTable, k: number | undefined): HTMLElement[] {
  if (k === undefined) return [element("p", "facts", "Click a point, or choose a flight from a table.")];
  const point = table.pointOf(k);
  const worst = summary.worst.find((flight) => flight.k === k);
  const atS = worst?.atS ?? (point === undefined ? NaN : table.withRole("end")[0]!.numbers[point]!);
  const branchS = Number.isFinite(atS) ? Math.max(0, Math.floor(atS - LEAD_S)) : 0;
  const isViolated = point !== undefined && violates(table, point);
  const commands = commandList(summary.campaign, k, branchS, isViolated);
  if (point === undefined) {
    const isFlown = k < summary.campaign.flights;
    if (!isFlown) return [element("p", "facts", "No flight has this number.")];
    if (!summary.campaign.isRepeatable) return [element("p", "facts", "This flight is not drawn here.")];
    return [element("p", "facts", "This flight is not drawn here; its command flies it again."), commands];
  }
  const rows = [
    ...table.withRole("outcome").map((column) => line("outcome", cellText(column, point))),
    ...table.withRole("end").map((column) => line("ends at", cellText(column, point))),
    ...verdictLines(table, point),
    ...valueLines("varied", table.withRole("varied"), point),
  ];
  const measured = valueLines("measured", table.withRole("measure"), point);
  const isRounded = table.columns.some(({ resolution }) => resolution > 0);
  // There may be many measures, so the commands come before them, to be visible without scrolling.
  return [
    pairsTable(rows),
    ...(isRounded ? [element("p", "facts", "Rounded for display; the commands fly the exact values.")] : []),
    commands,
    ...(measured.length === 0 ? [] : [pairsTable(measured)]),
  ];
}

function pairsTable(rows: readonly HTMLElement[]): HTMLElement {
  return element("table", "pairs-table", element("tbody", "", ...rows));
}

function violates(table: PointTable, point: number): boolean {
  return table.withRole("verdict").some(({ words, numbers }) => words?.[numbers[point]!] === "violated");
}

function verdictLines(table: PointTable, point: number): HTMLElement[] {
  const margins = table.withRole("margin");
  const lines = table.withRole("verdict").map((column, i) => {
    const word = cellText(column, point);
    const margin = Number.isFinite(margins[i]!.numbers[point]!) ? ` ${cellText(margins[i]!, point)}` : "";
    return line(column.name, verdictMark(word), margin);
  });
  return lines.length === 0 ? [] : [group("requirements"), ...lines];
}

function valueLines(title: string, columns: readonly TableColumn[], point: number): HTMLElement[] {
  if (columns.length === 0) return [];
  return [group(title), ...columns.map((column) => line(column.name, cellText(column, point)))];
}

function group(title: string): HTMLElement {
  const cell = element("th", "group", title);
  cell.setAttribute("colspan", "2");
  return element("tr", "", cell);
}

function line(name: string, ...value: readonly (Node | string)[]): HTMLElement {
  return element("tr", "", element("th", "", name), element("td", "", ...value));
}
