/** Implements `escapement shrink`: finds the violated requirement, shrinks the flight, and writes the flight file. */
import {
  changedPaths,
  shrinkSourceOf,
  searchErrors,
  selfContained,
  shrinkFlight,
  type ShrinkSource,
  type ShrunkFlightFile,
} from "@escapement/campaign";
import {
  mustResolve,
  type PlainObject,
  type Registry,
  requirement,
  resolveFlight,
  type ResolvedFlight,
  Run,
  type Verdict,
} from "@escapement/core";
import type { ShrinkFlags } from "../commands/shrink.ts";
import { cliErrors } from "../errors.ts";
import { FlightFiles, numberedName } from "../load/flight-files.ts";
import { isPx4 } from "../load/open-session.ts";
import { parseOverrides } from "../load/overrides.ts";
import { withCustomParts } from "../load/custom-parts.ts";
import { checkEnding, checkNames, writeWhole } from "../outputs/files.ts";
import { StatusLine } from "../print/progress.ts";
import { columnsOf, styleFor } from "../print/style.ts";
import { verdictFacts, verdictLines } from "../print/verdicts.ts";
import { printWritten } from "../print/written.ts";
import { registry as builtIn } from "../registry.ts";
import { descriptionOf, openNumbered } from "./numbered-flight.ts";

type PlainRequirement = ResolvedFlight["judged"]["requirements"][number];

export async function runShrink(name: string, flags: ShrinkFlags): Promise<void> {
  const { output } = flags;
  if (output !== undefined) {
    checkEnding(output, ".toml", "a shrunk flight");
    checkNames([output], flags.overwrite === true);
  }
  const most = parseMost(flags.most);
  const registry = await withCustomParts(builtIn, flags.with);
  const { source, own } = await openSource(name, flags, registry);
  const verdict = findViolatedVerdict(
    source,
    flags.require === undefined ? own : [plainRequirement(flags.require)],
    registry,
  );
  const status = new StatusLine(process.stderr, process.env, false);
  const shrunk = shrinkFlight(source, verdict, {
    registry,
    ...(most === undefined ? {} : { most }),
    onFlight: (flights) => status.show(() => `  shrinking ${name}: ${flights} flights`),
  });
  status.clear();
  print(name, verdict, shrunk, flags);
}

interface FlightToShrink {
  readonly source: ShrinkSource;
  /** The requirements of the flight itself. */
  readonly own: readonly PlainRequirement[];
}

/**
 * Finds the flight and its base. The base is the base flight of the campaign, or the built-in flight that the flight
 * extends.
 */
async function openSource(name: string, flags: ShrinkFlags, registry: Registry): Promise<FlightToShrink> {
  const assignments = parseOverrides(flags.set);
  const numbered = numberedName(name);
  if (numbered !== undefined && assignments.length === 0) {
    const { campaign, root, folder } = await openNumbered(numbered, registry);
    if (campaign.flownBy !== "threads") throw notShrinkable(name);
    const flight = descriptionOf({ campaign, registry }, { file: numbered.campaign, k: numbered.k, folder });
    return { source: shrinkSourceOf(campaign, { name, flight, root }, registry), own: campaign.judging.requirements };
  }
  const files = new FlightFiles(registry);
  const { definition, judged } = mustResolve(await files.resolve({ name, assignments }));
  if (isPx4(definition.autopilot.kind)) throw notShrinkable(name);
  const { root, ...described } = await files.describe({ name, assignments });
  const bad = selfContained(described);
  const base = root === undefined ? bad : selfContained(await files.describe({ name: root }));
  const keys = changedPaths(base, bad).filter(([key]) => !["scenario", "name", "timeline"].includes(String(key)));
  return { source: { name, bad, base, keys, ranges: new Map(), fixed: [], root }, own: judged.requirements };
}

/** Flies the flight and returns the violated verdict with the lowest scaled margin; errors come before warnings. */
function findViolatedVerdict(
  source: ShrinkSource,
  requirements: readonly PlainRequirement[],
  registry: Registry,
): Verdict {
  const { name, bad } = source;
  if (requirements.length === 0) {
    throw searchErrors.notViolated({
      what: `${name} has no requirement`,
      fix: "give one, e.g. --require 'never tilt > 90 deg'",
    });
  }
  const spec: PlainObject = { ...bad, requirements };
  const run = new Run(mustResolve(resolveFlight({ file: name, spec }, registry)), { registry, fingerprint: "none" });
  const { result, failure } = run.toEndNow();
  if (failure !== undefined) throw failure;
  const rank = ({ severity, scaledHigh }: Verdict) => (severity === "error" ? 0 : 1e9) + Math.max(-1e6, scaledHigh);
  const [worst] = result.verdicts.filter(({ verdict }) => verdict === "violated").sort((a, b) => rank(a) - rank(b));
  if (worst !== undefined) return worst;
  const verdicts = result.verdicts.map((verdict) => `"${verdict.name}" ${verdict.verdict}`);
  throw searchErrors.notViolated({
    what: `${name} violates no requirement: ${verdicts.join(", ")}`,
    fix: "shrink a flight that violates a requirement; the page of a campaign lists such flights",
  });
}

function plainRequirement(given: string): PlainRequirement {
  const { name, text, severity, mustOccur } = requirement(given);
  return { name, text, severity, mustOccur };
}

function notShrinkable(name: string): Error {
  return searchErrors.notShrinkable({
    what: `${name} is flown with PX4`,
    fix: "fly the same scenario with the embedded autopilot, or edit the flight by hand",
  });
}

function parseMost(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const most = Number(text);
  if (Number.isSafeInteger(most) && most >= 1) return most;
  throw cliErrors.badCount({
    what: `--most ${text} is not a number of flights`,
    fix: "use a positive integer, e.g. 300",
  });
}

function print(name: string, before: Verdict, shrunk: ShrunkFlightFile, flags: ShrinkFlags): void {
  const { text, phrases, flights, isMinimal, verdict } = shrunk;
  const { output } = flags;
  const bytes = output === undefined ? 0 : writeWhole(output, text, flags.overwrite === true);
  if (flags.json === true) {
    const wrote = output === undefined ? [] : [{ path: output, kind: "flight", bytes }];
    const facts = { flight: name, before: verdictFacts(before), verdict: verdictFacts(verdict) };
    process.stdout.write(`${JSON.stringify({ ...facts, left: phrases, flights, isMinimal, text, wrote }, null, 2)}\n`);
    return;
  }
  // Without an output file, standard output contains only the flight.
  const stream = output === undefined ? process.stderr : process.stdout;
  const style = styleFor(stream, process.env);
  const columns = columnsOf(stream);
  const left = phrases.length === 0 ? ["none: the base flight itself violates the requirement"] : phrases;
  const lines = [
    style.strong(name),
    ...verdictLines([before], style, columns),
    `${style.strong("shrunk")} in ${flights} flights${isMinimal ? "" : " (the limit, so it may not be minimal)"}; remaining differences:`,
    ...left.map((phrase) => `  ${phrase}`),
    ...verdictLines([verdict], style, columns),
  ];
  stream.write(`${lines.join("\n")}\n`);
  if (output === undefined) process.stdout.write(text);
  else printWritten({ path: output, kind: "flight", bytes }, false, `fly it: escapement fly ${output}`);
}
