/**
 * Writes docs/validation.md: published numbers, our numbers, the differences and the tolerances.
 *
 * The page is generated from the rows that the tests check against their tolerances, so every claim is checked.
 */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { hoverDynamicsTable } from "../tests/validation/hover-dynamics.ts";
import { validationRows } from "../tests/validation/index.ts";
import type { ValidationRow } from "../tests/validation/row.ts";

export const VALIDATION_PAGE = "docs/validation.md";

export function validationPage(rows: readonly ValidationRow[]): string {
  const areas = [...new Set(rows.map(({ area }) => area))];
  const sections = areas.flatMap((area) => {
    const own = rows.filter((row) => row.area === area);
    const sources = [...new Set(own.map(({ source }) => source))];
    return [
      `## ${area}`,
      "",
      ...sources.flatMap((source) =>
        sourceTable(
          source,
          own.filter((row) => row.source === source),
        ),
      ),
    ];
  });
  return [
    "# Validation",
    "",
    "Every published number that the tests compare with. `npm run docs` generates this page from the rows that the tests",
    "check. The difference, ours minus published, must not exceed the tolerance. Numbers are printed to twelve digits.",
    "",
    `${rows.length} numbers from ${new Set(rows.map(({ source }) => source)).size} sources.`,
    "",
    ...sections,
    "## Hover of the built-in vehicles",
    "",
    "Stability derivatives at constant rotor speeds and slow modes, by linearisation (`escapement trim --linearise`). Not",
    "compared with published numbers: vehicles of this size that were identified in flight have X_u from −0.12 to −0.54 1/s,",
    "and the 3DR X8-M, with eight coaxial rotors, has M_u 4.67, L_v −4.47 and Z_w −1.33. The wake of front rotors on rear ones,",
    "which adds to M_u, is not modelled.",
    "",
    ...hoverDynamicsTable(),
    "",
  ].join("\n");
}

function sourceTable(source: string, rows: readonly ValidationRow[]): string[] {
  const cells = rows.map(({ quantity, published, ours, tolerance, unit }) =>
    [quantity, unit, digits(published), digits(ours), digits(ours - published, 3), digits(tolerance, 3)].join(" | "),
  );
  return [
    `Source: ${source}`,
    "",
    "| quantity | unit | published | ours | difference | tolerance |",
    "|---|---|---:|---:|---:|---:|",
    ...cells.map((cell) => `| ${cell} |`),
    "",
  ];
}

function digits(value: number, count = 12): string {
  return String(Number(value.toPrecision(count)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  writeFileSync(VALIDATION_PAGE, validationPage(validationRows()));
