/**
 * The table of verdicts of a flight. Choosing a requirement shades its window on the plots and marks the instant that
 * decides it.
 */
import { letterOf } from "../shared/colours.ts";
import { element, numberText } from "../shared/elements.ts";
import type { FlightHead } from "./data.ts";
import type { ReportVerdict } from "./verdict-data.ts";

/** Marks of the chosen requirement in the plots and in the strip. */
export interface RequirementMark {
  readonly windowS: readonly [from: number, to: number];
  readonly atS: number | undefined;
  readonly holds: boolean;
}

const SIGNS = { holds: "✓", violated: "✗", undecided: "?", untested: "–" } as const;
const MOODS = { holds: "good", violated: "bad", undecided: "", untested: "" } as const;

/**
 * Builds the table of one flight's verdicts. `chooseFirst` chooses the first violated requirement, or the first
 * requirement if none is violated.
 */
export function verdictSection(head: FlightHead, endS: number, onChoose: (mark: RequirementMark | undefined) => void) {
  const verdicts = head.verdicts ?? [];
  const buttons: HTMLElement[] = [];
  let chosen = -1;
  const choose = (index: number) => {
    chosen = index === chosen ? -1 : index;
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === chosen)));
    onChoose(chosen < 0 ? undefined : markOf(verdicts[chosen]!, endS));
  };
  const rows = verdicts.map((verdict, i) => {
    const button = element("button", "choose", verdict.name);
    button.title = "show its window on the plots";
    button.addEventListener("click", () => choose(i));
    buttons.push(button);
    return verdictRow(verdict, button);
  });
  const heading = ["requirement", "verdict", "margin", "decided by", "at"].map((text) => element("th", "", text));
  const table = element(
    "table",
    "verdicts",
    element("thead", "", element("tr", "", ...heading)),
    element("tbody", "", ...rows),
  );
  const node = element("section", "requirements scrolled", table);
  const first = verdicts.findIndex(({ verdict }) => verdict === "violated");
  return { node, chooseFirst: () => choose(Math.max(0, first)) };
}

function verdictRow(verdict: ReportVerdict, button: HTMLElement): HTMLElement {
  const { name, text, note, predicate, value, unit, atS } = verdict;
  const details = [...(name === text ? [] : [text]), ...(note === undefined ? [] : [note])];
  const was = value === undefined ? "" : ` (was ${withUnit(value, unit)})`;
  return element(
    "tr",
    "",
    element("th", "", button, ...details.map((detail) => element("p", "facts", detail))),
    element("td", MOODS[verdict.verdict], wordOf(verdict)),
    element("td", "", marginText(verdict)),
    element("td", "", predicate === undefined ? "—" : `${predicate}${was}`),
    element("td", "", atS === undefined ? "—" : `${atS.toFixed(3)} s`),
  );
}

function wordOf({ verdict, severity }: ReportVerdict): string {
  return `${SIGNS[verdict]} ${verdict}${severity === "warning" ? " (warning)" : ""}`;
}

function marginText({ margin, unit }: ReportVerdict): string {
  return margin === undefined ? "—" : withUnit(margin, unit);
}

function withUnit(value: number, unit: string): string {
  return `${numberText(value)} ${unit}`.trim();
}

function markOf({ windowS, atS, verdict }: ReportVerdict, endS: number): RequirementMark {
  return { windowS: windowS ?? [0, endS], atS, holds: verdict === "holds" };
}

/** Builds a table of the verdicts of several flights side by side. */
export function verdictsTable(heads: readonly FlightHead[]): HTMLElement {
  const names = (heads[0]!.verdicts ?? []).map(({ name }) => name);
  const cell = (head: FlightHead, i: number) => {
    const verdict = head.verdicts![i]!;
    const { margin, atS } = verdict;
    const by = margin === undefined ? "" : ` by ${marginText(verdict)}`;
    const at = atS === undefined ? "" : ` at ${atS.toFixed(3)} s`;
    return element("td", MOODS[verdict.verdict], `${wordOf(verdict)}${by}${at}`);
  };
  return element(
    "table",
    "verdicts",
    element(
      "thead",
      "",
      element("tr", "", ...["requirement", ...heads.map((_, i) => letterOf(i))].map((text) => element("th", "", text))),
    ),
    element(
      "tbody",
      "",
      ...names.map((name, i) => element("tr", "", element("th", "", name), ...heads.map((head) => cell(head, i)))),
    ),
  );
}
