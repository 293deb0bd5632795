/** The data of a page that compares integrators: the tables, and every error over time. */
import type { ComparedName, ErrorMeasure, FlightDefinition, ReplayComparison } from "@escapement/core";
import { COMPARED, displayUnit } from "@escapement/core";
import { errorColumn, type ComparisonHead } from "./comparison-head.ts";
import { joinColumns, type ReportBlock } from "./data.ts";
import { downsample, type FullColumn } from "./downsample.ts";

type ComparisonReport = ReportBlock<ComparisonHead>;

interface ComparisonSource {
  readonly comparison: ReplayComparison;
  readonly definition: FlightDefinition;
  readonly loop: ComparisonHead["loop"];
  readonly fingerprint: string;
  readonly version: string;
  /** Wall time of each row divided by that of the rk4 row, or of the first row if no row uses rk4. */
  readonly timeRatios: readonly number[];
}

const MAX_ROWS = 6_000;

export function makeComparisonReport({
  comparison,
  definition,
  loop,
  fingerprint,
  version,
  timeRatios,
}: ComparisonSource): ComparisonReport {
  const names = (Object.keys(COMPARED) as ComparedName[]).filter((name) =>
    comparison.rows.some(({ errors }) => errors[name] !== undefined),
  );
  const { columns, rows, rowsPerBucket } = downsample(errorColumns(comparison, names), MAX_ROWS);
  const head: ComparisonHead = {
    kind: "integrators",
    title: definition.name,
    reference: comparison.reference,
    loop,
    fingerprint,
    version,
    definition,
    quantities: names.map((name) => ({ name, unit: displayUnit(name).unit })),
    variants: comparison.rows.map(({ label, errors, evaluations, accepted, rejected, reproduces }, i) => ({
      label,
      errors: Object.fromEntries(
        (Object.entries(errors) as [ComparedName, ErrorMeasure][]).map(([name, { max, rms, final, maxUs }]) => {
          const { factor } = displayUnit(name);
          return [name, { max: max * factor, rms: rms * factor, final: final * factor, maxS: maxUs / 1e6 }];
        }),
      ),
      evaluations,
      accepted,
      rejected,
      timeRatio: timeRatios[i] ?? 1,
      reproduces,
    })),
    rows,
    rowsPerBucket,
    columns: columns.map(({ name }) => name),
  };
  return { head, values: joinColumns(columns, rows) };
}

function* errorColumns({ rows, timesUs }: ReplayComparison, names: readonly ComparedName[]): Generator<FullColumn> {
  yield { name: "t", values: timesUs.map((tUs) => tUs / 1e6), sample: true };
  for (const name of names) {
    for (const [variant, { series }] of rows.entries()) {
      const { factor } = displayUnit(name);
      const values = series[name]?.map((value) => value * factor) ?? new Float64Array(timesUs.length);
      yield { name: errorColumn(name, variant), values };
    }
  }
}
