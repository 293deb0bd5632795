/** `escapement explain CODE`: explains an error and how to fix it. */
import type { Command } from "commander";
import { allErrors, coreCatalogues, type ErrorCatalogue, type ErrorDoc, nearestName } from "@escapement/core";
import { campaignCatalogues } from "@escapement/campaign";
import { formatCatalogues } from "@escapement/formats";
import { px4Catalogues } from "@escapement/px4";
import { viewErrors } from "@escapement/viewer";
import { cliErrors } from "../errors.ts";
import { columnsOf, padEnd, type Style, styleFor, wrap } from "../print/style.ts";

export const catalogues: readonly ErrorCatalogue[] = [
  ...coreCatalogues,
  ...formatCatalogues,
  ...px4Catalogues,
  ...campaignCatalogues,
  viewErrors,
  cliErrors,
];

export function addExplain(program: Command): void {
  program
    .command("explain")
    .description("explain an error code")
    .argument("[code]", "e.g. FLIGHT-012 or flight-12; without it, all codes are listed")
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExamples:\n  escapement explain FLIGHT-012\n  escapement explain")
    .action((code: string | undefined, flags: { json?: true }) => {
      const docs = code === undefined ? allErrors(catalogues) : [find(code)];
      const style = styleFor(process.stdout, process.env);
      const text =
        flags.json === true
          ? JSON.stringify(docs, null, 2)
          : code === undefined
            ? listText(docs, style, columnsOf(process.stdout))
            : explanationText(docs[0]!, style);
      process.stdout.write(`${text}\n`);
    });
}

function find(code: string): ErrorDoc {
  const docs = allErrors(catalogues);
  const [, family, number] = /^([a-z0-9]+)[-\s]?0*(\d+)$/i.exec(code) ?? [];
  const full = number === undefined ? code : `${family}-${number.padStart(3, "0")}`;
  const found = docs.find((doc) => doc.code === full.toUpperCase());
  if (found !== undefined) return found;
  const near = nearestName(
    code,
    docs.map((doc) => doc.code),
  );
  throw cliErrors.unknownCode({
    what: `there is no error "${code}"`,
    fix: near === undefined ? "run escapement explain to list all codes" : `did you mean ${near}?`,
  });
}

function explanationText({ code, title, explain }: ErrorDoc, style: Style): string {
  return `${style.strong(code)}  ${title}\n\n${wrap(explain, columnsOf(process.stdout), "")}`;
}

function listText(docs: readonly ErrorDoc[], style: Style, columns: number): string {
  const widest = Math.max(...docs.map(({ code }) => code.length));
  return docs
    .map(({ code, title }) => `${style.strong(padEnd(code, widest))}  ${wrap(title, columns, " ".repeat(widest + 2))}`)
    .join("\n");
}
