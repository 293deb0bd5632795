/**
 * Judges a log by its samples. Unlike a recording, a log cannot be replayed, so a verdict covers only the logged
 * samples. `longestSampleGapUs` is the longest time between two samples.
 *
 * Values may be unknown at some instants: invalid, or not logged yet. Each requirement is judged twice: once with the
 * worst and once with the best margin for unknown values. A requirement holds or is violated only if both verdicts
 * agree.
 */
import { SimError } from "../../errors/index.ts";
import { requirementErrors } from "../../requirements/errors.ts";
import { Judge } from "../../requirements/judge.ts";
import { asRequirement, marginUnit, type Requirement, type RequirementLike } from "../../requirements/requirement.ts";
import { type Verdict, verdictWord } from "../../requirements/verdict.ts";
import type { LoggedFlight } from "./logged-flight.ts";
import { LogSamples } from "./log-samples.ts";

/**
 * Judges every requirement. If the log does not have a signal that a requirement needs, the requirement is undecided,
 * with a note that says what to log.
 */
export function judgeLog(log: LoggedFlight, requirements: readonly RequirementLike[]): readonly Verdict[] {
  return requirements.map((each) => judgeOne(log, asRequirement(each)));
}

function judgeOne(log: LoggedFlight, requirement: Requirement): Verdict {
  try {
    const worst = judgeWith(log, requirement, -Infinity);
    const best = judgeWith(log, requirement, Infinity);
    return combine(worst, best);
  } catch (error) {
    if (error instanceof SimError && error.code === requirementErrors.notHere.code) {
      return undecidedVerdict(requirement, `${error.what}; ${error.fix}`);
    }
    throw error;
  }
}

function judgeWith(log: LoggedFlight, requirement: Requirement, unknown: number): Verdict {
  const samples = new LogSamples(log);
  const judge = new Judge({ requirements: [requirement] }, samples, { unknown });
  const timesUs = samples.timesUs(firstNamedUs(requirement));
  const time = new Float64Array(1);
  for (const tUs of timesUs) {
    time[0] = tUs;
    samples.advanceTo(tUs);
    judge.addSample(time);
  }
  const note = samples.note();
  const longestSampleGapUs = samples.longestGapUs(timesUs.at(-1) ?? 0);
  return { ...judge.verdicts()[0]!, longestSampleGapUs, ...(note === undefined ? {} : { note }) };
}

/** Returns the flight time at which the requirement begins, if it names one. */
function firstNamedUs({ tree: { scope } }: Requirement): number | undefined {
  if (scope.scope === "during") return scope.span.fromUs;
  return scope.scope === "at" ? scope.tUs : undefined;
}

function combine(worst: Verdict, best: Verdict): Verdict {
  if (worst.verdict === "untested") return worst;
  const verdict = verdictWord(worst.low, best.high);
  const dependsOnUnknown = !Object.is(worst.low, best.low) || !Object.is(worst.high, best.high);
  const reason =
    verdict === "undecided" && dependsOnUnknown
      ? ["values that it needs are invalid or not logged at some instants"]
      : [];
  const notes = [...(worst.note === undefined ? [] : [worst.note]), ...reason];
  return {
    ...worst,
    verdict,
    high: best.high,
    scaledHigh: best.scaledHigh,
    binding: verdict === "violated" ? best.binding : (worst.binding ?? best.binding),
    ...(notes.length === 0 ? {} : { note: notes.join("; ") }),
  };
}

function undecidedVerdict({ name, text, severity, mustOccur }: Requirement, note: string): Verdict {
  return {
    name,
    text,
    severity,
    mustOccur,
    verdict: "undecided",
    low: -Infinity,
    high: Infinity,
    unit: marginUnit(text),
    scaledLow: -Infinity,
    scaledHigh: Infinity,
    binding: undefined,
    longestSampleGapUs: 0,
    note,
  };
}
