/**
 * Errors as a person reads them: code, what, where with the line itself, how to mend it, and where to read more.
 *
 * All complaints at once; never a stack trace for a user's mistake. Our own defects keep theirs.
 */
import { complaintsOf, describeWhere, SimError } from "@escapement/core";
import type { Style } from "./style.ts";

/** Gives the text of a line of a file, if it can still be read. */
export type LineOf = (file: string, line: number) => string | undefined;

export function renderError(error: unknown, style: Style, lineOf: LineOf = () => undefined): string {
  if (!(error instanceof SimError)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `${style.trouble("defect of Escapement")}  please report this with the flight that shows it\n${text}`;
  }
  const complaints = complaintsOf(error);
  const blocks = complaints.map((complaint) => renderComplaint(complaint, style, lineOf));
  if (complaints.length > 1) blocks.push(`${complaints.length} complaints; nothing was flown.`);
  return blocks.join("\n\n");
}

function renderComplaint(error: SimError, style: Style, lineOf: LineOf): string {
  const lines = [`${style.trouble("error")} ${style.strong(error.code)}  ${error.what}`];
  const place = describeWhere(error.where);
  if (place !== "") lines.push(`  ${style.quiet("where")}  ${place}`);
  const { file, line } = error.where;
  const text = file !== undefined && line !== undefined ? lineOf(file, line) : undefined;
  if (text !== undefined) lines.push(`  ${style.quiet(`${String(line).padStart(9)} │`)} ${text}`);
  lines.push(`  ${style.quiet("fix")}    ${error.fix}`);
  lines.push(`  ${style.quiet("more")}   escapement explain ${error.code}`);
  return lines.join("\n");
}
