/** The page that compares integrators: tables of their errors and costs, then plots of the errors over time. */
import { autopilotText } from "@escapement/core";
import { colourOf } from "../shared/colours.ts";
import { errorColumn, type ComparedVariant, type ComparisonHead } from "./comparison-head.ts";
import { element, numberText, tableOf } from "../shared/elements.ts";
import { keepFitting } from "../shared/page-tools.ts";
import { LinkedPlots } from "./linked-plots.ts";
import { flightDetails, pageHead } from "./page-parts.ts";
import type { Table } from "./table.ts";

export function buildComparisonPage(page: HTMLElement, head: ComparisonHead, table: Table): void {
  const facts = [
    `against ${head.reference}`,
    autopilotText(head.definition.autopilot.kind),
    `seed ${head.definition.seed}`,
  ];
  page.append(
    pageHead({ ...head, subtitle: `integrators compared on one recording, ${head.loop} loop`, facts }),
    errorTable(head),
    costTable(head),
  );
  const place = element("section", "plots grid");
  page.append(place);
  const plots = new LinkedPlots(table.column("t"), { bands: [], events: [] }, { onTime: () => {}, onZoom: () => {} });
  for (const { name, unit } of head.quantities) {
    const cell = element("div", "");
    place.append(cell);
    const lines = head.variants.map(({ label }, i) => ({
      label,
      colour: colourOf(i),
      // Omit errors of zero, because a logarithmic axis cannot show them.
      values: table.on(table.column("t"), errorColumn(name, i)).map((value) => (value === 0 ? null : value)),
    }));
    plots.add(cell, { title: `${name} error`, unit, lines: [], isLogarithmic: true, showsValues: true }, lines, 230);
  }
  page.append(flightDetails(head.definition));
  keepFitting(
    place,
    () => plots.resize((place.firstElementChild as HTMLElement | null)?.clientWidth ?? 500),
    () => plots.redraw(),
  );
}

type Measure = NonNullable<ComparedVariant["errors"]["position"]>;

const MEASURES = [
  { name: "largest", text: ({ max, maxS }: Measure) => `${errorText(max)} at ${maxS.toFixed(1)} s` },
  { name: "root mean square", text: ({ rms }: Measure) => errorText(rms) },
  { name: "at the end", text: ({ final }: Measure) => errorText(final) },
] as const;

function errorTable({ quantities, variants }: ComparisonHead): HTMLElement {
  const head = ["error", ...quantities.map(({ name, unit }) => `${name} (${unit})`)];
  const rows = MEASURES.flatMap(({ name: measure, text }) => [
    [measure],
    ...variants.map(({ label, errors }) => [
      label,
      ...quantities.map(({ name }) => (errors[name] === undefined ? "—" : text(errors[name]))),
    ]),
  ]);
  return element("section", "tables", tableOf(head, rows, "numbers"));
}

function costTable({ variants }: ComparisonHead): HTMLElement {
  const rows = variants.map(({ label, evaluations, accepted, rejected, timeRatio, reproduces }) => [
    label,
    String(evaluations),
    String(accepted),
    String(rejected),
    `${numberText(timeRatio, 2)}×`,
    reproduces ? "the recorded bits" : "",
  ]);
  return element(
    "section",
    "tables",
    tableOf(["cost", "evaluations", "steps", "rejected", "time", ""], rows, "numbers"),
  );
}

function errorText(value: number): string {
  return value === 0 ? "0" : value < 1e-3 ? value.toExponential(2) : value.toPrecision(3);
}
