/** Formats the result of `bisect`: the cause, the point of no return, and the cost of the search. */
import type { Bisection, BisectCost, DifferenceReport, PointOfNoReturn } from "@escapement/core";
import { tomlValue } from "@escapement/formats";
import { type Style, wrap } from "./style.ts";

export function bisectionText(good: string, bad: string, found: Bisection, style: Style, columns: number): string {
  const { differences, cause } = found;
  const others = differences.filter(({ key }) => !cause.some((one) => one.key === key));
  const line = (text: string) => wrap(text, columns, "", 0);
  return [
    [resultLine("good", good, found.good, style), resultLine("bad", bad, found.bad, style)].map(line).join("\n"),
    line(`${style.accent("cause")}  ${causeText(differences.length, cause.length)}`),
    ...cause.map((difference) => differenceText(difference, style)),
    ...(others.length === 0 ? [] : [line(`not needed: ${others.map(({ key }) => key).join(", ")}`)]),
    line(`${style.accent("point of no return")}  ${noReturnText(found)}`),
    ...notes(found.pointOfNoReturn).map(line),
    style.quiet(line(costText(found.cost))),
  ].join("\n\n");
}

function resultLine(label: string, flight: string, { result, detail }: Bisection["good"], style: Style): string {
  return `${style.strong(label.padEnd(4))}  ${flight}: ${result}${detail === "" ? "" : ` (${detail})`}`;
}

function causeText(all: number, needed: number): string {
  const differ = all === 1 ? "one setting or event differs" : `${all} settings and events differ`;
  if (needed === 1) return all === 1 ? `${differ}:` : `${differ}, and one of them makes the difference:`;
  return needed === all
    ? `${differ}, and all of them together make the difference:`
    : `${differ}, and ${needed} of them together make the difference:`;
}

function differenceText({ key, good, bad }: DifferenceReport, style: Style): string {
  return `  ${style.strong(key)}
    good  ${valueText(good)}
    bad   ${valueText(bad)}`;
}

function valueText(value: unknown): string {
  return value === undefined ? "—" : tomlValue(value);
}

function noReturnText({ pointOfNoReturn: found, bad }: Bisection): string {
  switch (found.kind) {
    case "impossible":
      return `${found.key} cannot change in flight: ${found.why}`;
    case "untried":
      return `not found. Switching the cause off at ${timeText(found.atUs)} could not be tried: ${found.why}`;
    case "never":
      return `switching the cause off in flight changes nothing, not even at the start: ${bad.result}`;
    case "found": {
      const last = found.trials.find(({ atUs }) => atUs === found.lastFlipUs);
      const gives = last === undefined ? "" : ` (${last.result})`;
      return `${timeText(found.lastFlipUs)}. If the cause is switched off at this instant, the result still changes${gives}; at ${timeText(found.firstKeptUs)} it is too late (${bad.result}).`;
    }
  }
}

function notes(found: PointOfNoReturn): string[] {
  if (found.kind !== "found") return [];
  const mixed = found.isMixed
    ? [
        `The effect changes more than once: switching the cause off at ${found.trials
          .filter(({ flips, atUs }) => !flips && atUs < found.lastFlipUs)
          .map(({ atUs }) => timeText(atUs))
          .join(", ")} did not change the result, although switching it off later did.`,
      ]
    : [];
  return [...mixed, ...Object.entries(found.lasting).map(([key, why]) => `${key} was left as it is: ${why}.`)];
}

function timeText(tUs: number): string {
  return `${(tUs / 1e6).toFixed(6)} s`;
}

export function costText({ flights, branches, grafted, flownS, wholeS }: BisectCost): string {
  const branchesText = branches === 0 ? "" : `, ${branches} branches (${grafted} from checkpoints)`;
  const saved = branches === 0 ? "" : `, ${wholeS.toFixed(1)} s without checkpoints`;
  return `${flights} flights${branchesText}; ${flownS.toFixed(1)} s flown${saved}`;
}

/** Returns the result as JSON. Times are in seconds. */
export function bisectionJson(good: string, bad: string, found: Bisection): string {
  return JSON.stringify(
    {
      ...found,
      good: { flight: good, ...found.good },
      bad: { flight: bad, ...found.bad },
      pointOfNoReturn: inSeconds(found.pointOfNoReturn),
    },
    null,
    2,
  );
}

function inSeconds(found: PointOfNoReturn): object {
  if (found.kind === "impossible") return found;
  const trials = found.trials.map(({ atUs, ...trial }) => ({ atS: atUs / 1e6, ...trial }));
  if (found.kind === "never") return { ...found, trials };
  if (found.kind === "untried") return { kind: found.kind, atS: found.atUs / 1e6, why: found.why, trials };
  const { lastFlipUs, firstKeptUs, ...rest } = found;
  return { ...rest, lastFlipS: lastFlipUs / 1e6, firstKeptS: firstKeptUs / 1e6, trials };
}
