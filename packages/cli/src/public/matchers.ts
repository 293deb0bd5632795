/**
 * `escapement/matchers`: matchers for tests of flights, for Jest and everything else with `expect.extend`. For Vitest,
 * import `escapement/vitest`.
 */
import { coherentUnit, isSameDimension, type Requirement, requirement, unitOf, type Verdict } from "@escapement/core";
import { cliErrors } from "../errors.ts";
import { marginText, verdictText } from "../print/verdicts.ts";

/** Anything that can be judged: a flight that was flown, a recording or a log. */
interface Judgeable {
  judge(requirement: string | Requirement): Verdict;
  readonly verdicts?: readonly Verdict[];
}

interface MeetOptions {
  /** Minimum margin, with its unit: `50 cm`. */
  readonly margin?: string;
}

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The state that test runners pass to matchers. */
interface MatcherState {
  readonly isNot?: boolean;
}

/** The matchers that are added to `expect`. */
export interface FlightExpectations<Result = void> {
  /**
   * Passes if the flight, recording or log meets the requirement: `expect(flight).toMeet("never tilt > 20 deg")`. With
   * `not`, passes if the requirement is violated. If it is undecided or untested, both fail.
   */
  toMeet(requirement: string | Requirement, options?: MeetOptions): Result;
  /** Passes if the flight has this fingerprint (`fp1:…`), i.e. if every bit of it is unchanged. */
  toHaveFingerprint(fingerprint: string): Result;
}

/** Matchers for `expect.extend`. */
export const flightMatchers = {
  toMeet(
    this: MatcherState | void,
    received: unknown,
    given: string | Requirement,
    { margin }: MeetOptions = {},
  ): MatcherResult {
    const judged = asJudgeable(received);
    const parsed = typeof given === "string" ? requirement(given) : given;
    const verdict = judged.verdicts?.find(({ text }) => text === parsed.text) ?? judged.judge(parsed);
    const isNot = this?.isNot === true;
    const minMargin = margin === undefined ? undefined : parseMargin(margin, verdict);
    const isDecided = verdict.verdict === "holds" || verdict.verdict === "violated";
    const meets = verdict.verdict === "holds" && (minMargin === undefined || verdict.low >= minMargin);
    const marginWords = margin === undefined ? "" : ` by at least ${margin}`;
    return {
      // With `not`, the runner inverts `pass`, so an undecided or untested requirement fails too.
      pass: isDecided ? meets : isNot,
      message: () =>
        `expected the flight ${isNot ? "not " : ""}to meet${marginWords}\n\n    ${parsed.text}\n\n${verdictSentence(verdict)}`,
    };
  },

  toHaveFingerprint(this: MatcherState | void, received: unknown, expected: string): MatcherResult {
    const flown = (received as { readonly fingerprint?: unknown } | null)?.fingerprint;
    if (typeof flown !== "string") throw notAFlight("toHaveFingerprint", received);
    return {
      pass: flown === expected,
      message: () => `expected the fingerprint ${this?.isNot === true ? "not " : ""}to be ${expected}\nit is ${flown}`,
    };
  },
};

function verdictSentence(verdict: Verdict): string {
  const note = verdict.note === undefined ? "" : `\n${verdict.note}`;
  return `${verdict.name === verdict.text ? "it" : `"${verdict.name}"`} ${verbOf(verdict)}${verdictText(verdict)}${note}`;
}

/** Returns the verb for `it holds by …` or `it is violated by …`. */
function verbOf({ verdict }: Verdict): string {
  return verdict === "holds" ? "" : "is ";
}

function asJudgeable(received: unknown): Judgeable {
  const judged = received as Judgeable | null | undefined;
  if (typeof judged?.judge === "function") return judged;
  throw notAFlight("toMeet", received);
}

function notAFlight(matcher: string, received: unknown): Error {
  const isPromise = typeof (received as { readonly then?: unknown } | null | undefined)?.then === "function";
  return cliErrors.notJudgeable({
    what: `${matcher} was given ${isPromise ? "a promise" : "something that is not a flight"}`,
    fix: isPromise
      ? `await it: await expect(fly(spec)).resolves.${matcher}(…)`
      : "give the result of fly(), openRecording() or readSeries()",
  });
}

/** Parses a margin and converts it to the unit of the verdict. */
function parseMargin(text: string, verdict: Verdict): number {
  const [, number, name = ""] = /^\s*([+-]?[\d.]+(?:e[+-]?\d+)?)\s*(\S*)\s*$/i.exec(text) ?? [];
  const unit = unitOf(name === "" ? "1" : name);
  const verdictUnit = unitOf(verdict.unit === undefined || verdict.unit === "" ? "1" : verdict.unit);
  if (
    unit !== undefined &&
    verdictUnit !== undefined &&
    Number.isFinite(Number(number)) &&
    verdict.unit !== undefined
  ) {
    if (isSameDimension(unit.dimension, verdictUnit.dimension)) return Number(number) * unit.factor;
  }
  throw cliErrors.notJudgeable({
    what: `the margin "${text}" cannot be compared with ${verdict.unit === undefined ? "margins of different units" : marginText(verdict)}`,
    fix:
      verdict.unit === undefined
        ? "split the requirement, so that each compares one unit"
        : `write a number with its unit, e.g. 0.5 ${verdictUnit === undefined ? "" : coherentUnit(verdictUnit.dimension)}`.trim(),
  });
}
