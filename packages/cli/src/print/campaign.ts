/** Prints a campaign on the terminal: a block of lines that is redrawn during the campaign and printed at its end. */
import {
  type CampaignSummary,
  estimateText,
  probabilityText,
  type RareEventSummary,
  type RequirementProbability,
  shortNumber,
  signedMargin,
} from "@escapement/formats";
import type { CampaignProgress } from "@escapement/campaign";
import { bar } from "./progress.ts";
import { columnsOf, joinParts, padEnd, renderTable, type Style, styleFor, width, wrap } from "./style.ts";

const MAX_COLUMN = 48;

type Shown = Pick<CampaignSummary, "requirements" | "worst" | "criteria" | "failedFlights" | "outcomes" | "rareEvent"> &
  Partial<Pick<CampaignSummary, "probabilities">>;

/**
 * Returns the first two lines: name, number of flights, plan and number of keys, e.g. `gusts over the square   1024
 * flights, plan sobol, 6 varied keys`, and the identity with the code.
 */
export function campaignHead({ manifest }: Pick<CampaignProgress, "manifest">, style: Style): string {
  const { name, flights, plan, keys, identity, code, shard, isRepeatable } = manifest;
  const part = shard === undefined ? "" : `, part ${shard.index + 1} of ${shard.count}`;
  const varied = keys.length === 0 ? "" : `, ${keys.length} varied ${keys.length === 1 ? "key" : "keys"}`;
  const upTo = ["falsify", "splitting"].includes(plan.kind) || plan["until"] === "decided" ? "up to " : "";
  return (
    `${style.strong(name)}   ${upTo}${flights} flights, plan ${plan.kind}${varied}${part}` +
    (isRepeatable ? "" : style.trouble(", not repeatable")) +
    `\n    ${style.quiet(`campaign ${identity}, code ${code.slice(0, 12)}`)}`
  );
}

/**
 * Returns a text per requirement and per criterion, and one for the worst flights; a text has several lines if it does
 * not fit the columns. `commandOf` returns the command that shows flight k again; empty if there is none.
 */
export function campaignLines(
  shown: Shown,
  commandOf: (k: number) => string,
  { style, columns }: { readonly style: Style; readonly columns: number },
): string[] {
  const { requirements, criteria, probabilities, rareEvent, failedFlights } = shown;
  const rows = [
    // Each list has its own column widths. Criteria are longer than names, and one width would wrap the lines of
    // requirements.
    alignColumns(
      requirements.map((requirement, i) => requirementCells(requirement, probabilities?.[i] ?? undefined, style)),
    ),
    alignColumns(criteria.map((criterion) => criterionCells(criterion, style))),
    ...(rareEvent === undefined ? [] : [rareEventLines(rareEvent, shown, style).map((line) => [line])]),
    requirements.length === 0 ? [[outcomesText(shown)]] : [],
    failedFlights === 0 ? [] : [[style.trouble(`${failedFlights} flights have no result`)]],
    worstParts(shown, commandOf, style),
  ].flat();
  return rows.map((parts) => `  ${joinParts(parts, columns - 2, "    ")}`);
}

/** Pads all cells but the last of a row to the width of their column. */
function alignColumns(rows: readonly (readonly string[])[]): string[][] {
  const widthOf = (i: number) => Math.min(MAX_COLUMN, Math.max(0, ...rows.map((cells) => width(cells[i] ?? ""))));
  return rows.map((cells) => cells.map((cell, i) => (i < cells.length - 1 ? padEnd(cell, widthOf(i)) : cell)));
}

/**
 * Removes probabilities and criteria if the flights are one part of a campaign, because they are computed from all
 * flights.
 */
export function withoutPartVerdicts(shown: Shown, { shard }: CampaignProgress["manifest"]): Shown {
  if (shard === undefined) return shown;
  const { probabilities: _ofWhole, ...rest } = shown;
  return { ...rest, criteria: [] };
}

function outcomesText({ outcomes }: Shown): string {
  const words = Object.entries(outcomes).map(([outcome, count]) => `${outcome} ${count}`);
  return words.join("  ");
}

/** Returns lines with the probability of a violation, and with the reasons why it may not be bounded. */
function rareEventLines(
  { requirement, probability, low, high, confidence, runs, isComplete, undecided }: RareEventSummary,
  { requirements }: Shown,
  style: Style,
): string[] {
  const interval = `${100 * confidence} %: ${shortNumber(low)} … ${shortNumber(high)}`;
  const name = requirements[requirement]!.name;
  const open = [
    ...(isComplete ? [] : ["not every run reached the event: raise plan.most"]),
    ...(undecided === 0 ? [] : [`${undecided} flights are undecided, so the probability has no bounds`]),
  ];
  return [
    `P(${name} is violated) = ${style.strong(shortNumber(probability))}  (${interval})   ${runs.length} runs`,
    ...open.map((text) => style.trouble(text)),
  ];
}

function requirementCells(
  { name, flights, least }: Shown["requirements"][number],
  probability: RequirementProbability | undefined,
  style: Style,
): string[] {
  const counts = (["holds", "violated", "undecided", "untested"] as const)
    .filter((word) => flights[word] > 0)
    .map((word) => (word === "violated" ? style.trouble(`${word} ${flights[word]}`) : `${word} ${flights[word]}`));
  const margin =
    least === null ? "" : style.quiet(`least margin ${signedMargin(least.margin, least.unit)}  #${least.k}`);
  const share = probability === undefined ? "" : probabilityText(probability);
  return [name, counts.join("  "), share, margin];
}

function criterionCells(criterion: Shown["criteria"][number], style: Style): string[] {
  const { text, verdict, reason } = criterion;
  const word = verdict === "met" ? style.accent("met") : verdict === "open" ? "open" : style.trouble("not met");
  const more =
    verdict === "open" && reason.includes(";") ? style.quiet(reason.slice(reason.indexOf(";") + 1).trim()) : "";
  return [text, word, estimateText(criterion), more];
}

function worstParts({ worst, requirements }: Shown, commandOf: (k: number) => string, style: Style): string[][] {
  const listed = worst.filter(({ requirement }) => requirements[requirement] !== undefined).slice(0, 3);
  if (listed.length === 0) return [];
  const flights = listed.map(({ k, margin, unit }) => `#${k} ${signedMargin(margin, unit)}`).join(" · ");
  return [[`worst: ${flights}`, style.quiet(commandOf(listed[0]!.k))]];
}

/**
 * Returns the effects of the keys that a sensitivity plan found. Other plans only screen the keys, which the page shows.
 */
export function sensitivityLines(
  { sensitivity }: Pick<CampaignSummary, "sensitivity">,
  planKind: string,
  { style, columns }: { readonly style: Style; readonly columns: number },
): string[] {
  if (planKind !== "morris" && planKind !== "sobol-indices") return [];
  return sensitivity.flatMap(({ of, keys }) => {
    const names = [...new Set(keys.flatMap(({ effects }) => effects.map(({ name }) => name)))];
    const rows = keys.map(({ key, effects }) => [
      key,
      ...names.map((name) => effectText(effects.find((effect) => effect.name === name))),
    ]);
    const titles = ["key", ...names].map((title) => ({ title }));
    const lines = renderTable(titles, rows, style, columns - 4).split("\n");
    return [`  ${of}`, ...lines.map((line) => `    ${line}`.trimEnd())];
  });
}

function effectText(effect: CampaignSummary["sensitivity"][number]["keys"][number]["effects"][number] | undefined) {
  if (effect === undefined) return "—";
  const { value, low, high } = effect;
  const number = (of: number) => shortNumber(of).replace(/^-/, "−");
  return low === undefined || high === undefined
    ? number(value)
    : `${number(value)} (${number(low)} … ${number(high)})`;
}

/** Returns texts about the flights that were shrunk, and about those that were recorded. */
export function keptLines(
  { shrunk, kept }: Pick<CampaignSummary, "shrunk" | "kept">,
  folder: string,
  columns: number,
): string[] {
  const shrunkText = ({ k, requirement, text, flights, file }: (typeof shrunk)[number]) => {
    const what = `#${k}, which violates ${requirement}, in ${flights} flights: ${text}`;
    return `  shrunk: ${wrap(what, columns, "    ", 10)}\n    ${folder}/${file}`;
  };
  const recorded = `${kept.map(({ k }) => `#${k}`).join(", ")} in ${folder}/flights/`;
  return [
    ...shrunk.map(shrunkText),
    ...(kept.length === 0 ? [] : [`  recorded: ${wrap(recorded, columns, "    ", 12)}`]),
  ];
}

const REDRAW_MS = 200;
/** Drawing takes at most 1 / IDLE_FACTOR of the time, because judging criteria over a million flights is slow. */
const IDLE_FACTOR = 20;

/** Draws the block during the campaign, but only on a terminal. */
export class CampaignScreen {
  private readonly stream: NodeJS.WriteStream;
  private readonly commandOf: (k: number) => string;
  private readonly startedMs = Date.now();
  private nextMs = 0;
  private lines = 0;

  constructor(stream: NodeJS.WriteStream, commandOf: (k: number) => string) {
    this.stream = stream;
    this.commandOf = commandOf;
  }

  show(progress: CampaignProgress): void {
    const nowMs = Date.now();
    if (!this.stream.isTTY || process.env["TERM"] === "dumb" || nowMs < this.nextMs) return;
    const style = styleFor(this.stream, process.env);
    const columns = columnsOf(this.stream);
    const text = [
      ...campaignHead(progress, style).split("\n"),
      this.barLine(progress, (nowMs - this.startedMs) / 1e3, columns, style),
      ...campaignLines(
        withoutPartVerdicts({ ...progress.rows.finish(), criteria: progress.criteria() }, progress.manifest),
        this.commandOf,
        // Every text stays in one line, so that the block keeps its height.
        { style, columns: Infinity },
      ),
    ].map((line) => truncate(line, columns - 1));
    this.stream.write(`${this.moveUpText()}${text.map((line) => `${line}\u001b[K`).join("\n")}\n\u001b[J`);
    this.lines = text.length;
    this.nextMs = nowMs + Math.max(REDRAW_MS, IDLE_FACTOR * (Date.now() - nowMs));
  }

  clear(): void {
    if (this.lines > 0) this.stream.write(`${this.moveUpText()}\u001b[J`);
    this.lines = 0;
  }

  /** Prints a line above the block. */
  printAbove(text: string): void {
    this.clear();
    this.stream.write(`${text}\n`);
    this.nextMs = 0;
  }

  private moveUpText(): string {
    return this.lines === 0 ? "" : `\u001b[${this.lines}A\r`;
  }

  private barLine(
    { done, total, flown, lanes }: CampaignProgress,
    seconds: number,
    columns: number,
    style: Style,
  ): string {
    const perSecond = flown / Math.max(seconds, 1e-3);
    const remainingS = perSecond > 0 ? (total - done) / perSecond : NaN;
    const facts = [
      `${done}/${total}`,
      `${perSecond.toFixed(1)} flights/s`,
      ...(lanes === 0 ? [] : [`${lanes} in parallel`]),
      ...(Number.isFinite(remainingS) ? [`${durationText(remainingS)} left`] : []),
    ].join("   ");
    const cells = Math.max(8, Math.min(46, columns - width(facts) - 6));
    return `  ${style.accent(bar(total === 0 ? 1 : done / total, cells))}  ${facts}`;
  }
}

function durationText(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** Cuts a line at the terminal's edge. Keeps all escape codes, so that colours end with the line. */
function truncate(line: string, columns: number): string {
  if (width(line) <= columns) return line;
  let shown = 0;
  // oxlint-disable-next-line no-control-regex -- the pattern must match the escape character
  const parts = line.match(/\u001b\[[0-9;]*m|[^\u001b]/gu) ?? [];
  const kept = parts.filter((part) => part.startsWith("\u001b") || (shown += 1) <= columns);
  return kept.join("");
}
