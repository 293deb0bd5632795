/** Makes the results table of a campaign: its columns, and the cells of each row. */
import type { Cell, ResultColumn } from "../tables/columns.ts";
import type { Manifest, Row, RowVerdict, VariedValue } from "./row.ts";

type NamedColumn = Pick<ResultColumn, "name" | "type" | "about"> & Partial<ResultColumn>;

const column = (parts: NamedColumn): ResultColumn => ({ unit: "", isOptional: true, ...parts });

/** The data that determines the columns and their types. */
interface RowLayout {
  readonly manifest: Manifest;
  /**
   * For each varied key, whether any of its values is not a number. The values of a choice may be numbers in one row
   * and words in another, so all rows must be inspected.
   */
  readonly isText: readonly boolean[];
}

export function isTextValue(value: VariedValue | undefined): boolean {
  return value !== undefined && typeof value !== "number";
}

export function resultColumns({ manifest, isText }: RowLayout): ResultColumn[] {
  return [
    column({ name: "k", type: "int32", about: "Number of the flight.", isOptional: false }),
    column({ name: "hash", type: "string", about: "First 16 hex digits of the hash of the flight's definition." }),
    column({ name: "fingerprint", type: "string", about: "Hash of the whole flight." }),
    column({ name: "outcome", type: "string", about: "How the flight ended.", isOptional: false }),
    column({ name: "reason", type: "string", about: "Why it ended.", isOptional: false }),
    column({ name: "end_s", type: "double", unit: "s", about: "Flight time at the end." }),
    ...manifest.keys.map(({ key, unit, distribution }, i) =>
      column({
        name: `vary.${key}`,
        type: isText[i] === true ? "string" : "double",
        unit,
        about: JSON.stringify(distribution),
      }),
    ),
    ...manifest.requirements.flatMap(({ name, text, unit }) => [
      column({ name: `req.${name}.verdict`, type: "string", about: text }),
      column({
        name: `req.${name}.margin`,
        type: "double",
        unit: unit ?? "scales",
        about: "Positive if the requirement holds; null if the flight did not decide it.",
      }),
      column({ name: `req.${name}.at_s`, type: "double", unit: "s", about: "The instant that decided the margin." }),
    ]),
    ...manifest.measures.map(({ name, unit, text }) => column({ name, type: "double", unit, about: text })),
  ];
}

export function resultCells({ manifest, isText }: RowLayout, row: Row): Cell[] {
  const wasFlown = row.fingerprint !== "";
  return [
    row.k,
    row.hash === "" ? null : row.hash,
    wasFlown ? row.fingerprint : null,
    row.outcome,
    row.reason,
    wasFlown ? row.endUs / 1e6 : null,
    ...manifest.keys.map((_, i) => variedCell(row.varied[i], isText[i] === true)),
    ...manifest.requirements.flatMap((_, i) => verdictCells(row.verdicts[i])),
    ...manifest.measures.map((_, i) => row.measures[i] ?? null),
  ];
}

function variedCell(value: VariedValue | undefined, isText: boolean): Cell {
  if (value === undefined) return null;
  return isText ? String(value) : (value as number);
}

function verdictCells(verdict: RowVerdict | undefined): Cell[] {
  if (verdict === undefined) return [null, null, null];
  const { binding } = verdict;
  return [verdict.verdict, decidedMargin(verdict) ?? null, binding === null ? null : binding.tUs / 1e6];
}

/**
 * Returns the margin that decided a verdict, in the unit of the manifest. Returns undefined if the flight ended too
 * early or never tested the requirement.
 */
export function decidedMargin({
  verdict,
  low,
  high,
}: Pick<RowVerdict, "verdict" | "low" | "high">): number | undefined {
  return verdict === "holds" ? low : verdict === "violated" ? high : undefined;
}
