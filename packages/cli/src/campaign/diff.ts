/** Implements `escapement campaign diff`: compares two runs of a campaign flight by flight. */
import { compareCampaigns, JournalRows, storedJournal } from "@escapement/campaign";
import { type CampaignComparison, shortNumber, withUnit } from "@escapement/formats";
import { EXIT } from "../exit-codes.ts";
import { columnsOf, renderTable, type Style, styleFor } from "../print/style.ts";

export function runCampaignDiff(before: string, after: string, asJson: boolean): number {
  const comparison = compareCampaigns(readRun(before), readRun(after));
  if (asJson) {
    process.stdout.write(`${JSON.stringify({ before, after, ...comparison }, null, 2)}\n`);
  } else {
    const shown = { style: styleFor(process.stdout, process.env), columns: columnsOf(process.stdout) };
    process.stdout.write(`${diffLines(comparison, before, after, shown).join("\n")}\n`);
  }
  return comparison.changed + comparison.onlyBefore + comparison.onlyAfter === 0 ? EXIT.done : EXIT.differentBits;
}

function readRun(folder: string): Parameters<typeof compareCampaigns>[0] {
  const rows = new JournalRows(storedJournal(folder));
  return { manifest: rows.manifest, rows };
}

function titles(...names: readonly string[]): { readonly title: string }[] {
  return names.map((title) => ({ title }));
}

/** Formats a comparison as lines of text; `before` and `after` are the names of the two runs. */
export function diffLines(
  comparison: CampaignComparison,
  before: string,
  after: string,
  { style, columns }: { readonly style: Style; readonly columns: number },
): string[] {
  const { flights, changed, onlyBefore, onlyAfter, requirements, measures } = comparison;
  const titled = titles("requirement", "broken", "fixed", "McNemar p", "margin, after − before");
  const rows = requirements.map(({ name, broken, fixed, p, margin, unit }) => [
    name,
    String(broken),
    String(fixed),
    p === null ? "—" : shortNumber(p),
    margin === null ? "—" : differenceText(margin, unit),
  ]);
  const measured = measures.map(({ name, unit, difference }) => [name, differenceText(difference, unit)]);
  const flips = requirements.flatMap(({ name, flips: list }) =>
    list.map(({ k, before: from, after: to }) => `  #${k} ${name}: ${from} → ${to}`),
  );
  return [
    `${style.strong(`${before} → ${after}`)}   ${flights} flights in both, ${changed} with different bits`,
    ...(onlyBefore + onlyAfter === 0 ? [] : [`  only in ${before}: ${onlyBefore}, only in ${after}: ${onlyAfter}`]),
    ...(rows.length === 0 ? [] : [renderTable(titled, rows, style, columns)]),
    ...(measured.length === 0 ? [] : [renderTable(titles("measure", "after − before"), measured, style, columns)]),
    ...flips,
  ];
}

function differenceText(
  { mean, low, high }: { readonly mean: number; readonly low: number | null; readonly high: number | null },
  unit: string,
): string {
  const number = (value: number) => shortNumber(value).replace(/^-/, "−");
  const interval = low === null || high === null ? "" : ` (95 %: ${number(low)} … ${number(high)})`;
  return `${withUnit(number(mean), unit)}${interval}`;
}
