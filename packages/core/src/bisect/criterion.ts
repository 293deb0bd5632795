/**
 * The result by which a good flight and a bad one differ: the outcome, the fingerprint, a signal at an instant, a
 * number of the summary, or the verdict on a requirement. Each kind of result implements `Criterion`.
 */
import { oneOfNames, show } from "../params/index.ts";
import { secondsToUs } from "../time/index.ts";
import { COMPARATORS, holds } from "../sources/scenario/condition.ts";
import { parseDurationText } from "../describe/spec/duration-text.ts";
import type { FlightSession } from "../run/session/session.ts";
import type { Situation } from "../run/session/situation.ts";
import { requirement, type Requirement } from "../requirements/index.ts";
import { bisectErrors } from "./errors.ts";

/** The result of one flight. */
export interface Judgement {
  /** Two results are equal if their texts are equal. */
  readonly result: string;
  /** The numbers or the reason that explain the result; empty if there are none. */
  readonly detail: string;
}

export interface Criterion {
  readonly text: string;
  /** A flight is flown up to this instant; the rest cannot change the result. */
  readonly untilUs: number;
  /** The flights are judged by this requirement. */
  readonly requirement?: Requirement;
  /** Throws a typed error if the flight does not have the value. Called before the flight begins. */
  check(session: FlightSession): void;
  /** The result of a flight that was flown up to the instant. */
  judge(session: FlightSession): Judgement;
}

/** The result of a flight that ended before the instant of the comparison. */
export const ENDED_BEFORE = "ended before";

const outcome: Criterion = {
  text: "outcome",
  untilUs: Infinity,
  check: () => {},
  judge: (session) => {
    const { outcome: result, reason } = session.result();
    return { result, detail: reason };
  },
};

const fingerprint: Criterion = {
  text: "fingerprint",
  untilUs: Infinity,
  check: () => {},
  judge: (session) => ({ result: session.result().fingerprint, detail: "" }),
};

interface Comparison {
  readonly left: string;
  readonly comparator: (typeof COMPARATORS)[number];
  readonly value: number;
}

/** Parses e.g. `outcome`, `fingerprint`, `posNed.n@20 s > 5`, `positionErrorMaxM > 3` or `never tilt > 60 deg`. */
export function parseCriterion(text: string): Criterion {
  const words = text.trim();
  if (words === outcome.text) return outcome;
  if (words === fingerprint.text) return fingerprint;
  const match = /^([^<>=]*)(>=|<=|==|>|<)([^<>=]*)$/.exec(words);
  // A requirement has several words before its comparison. A single word is neither a comparison nor a requirement.
  const isSentence = /\s/.test(match === null ? words : match[1]!.trim());
  if (isSentence && !words.includes("@")) return requirementCriterion(words);
  const value = match === null || match[3]!.trim() === "" ? NaN : Number(match[3]);
  if (match === null || !Number.isFinite(value)) {
    throw badResultError(
      `${show(words)} is not a result that flights have`,
      'use outcome, fingerprint, a comparison such as "posNed.n@20 s > 5" or "positionErrorMaxM > 3", or a requirement such as "never tilt > 60 deg"',
    );
  }
  const comparison = { left: match[1]!.trim(), comparator: match[2] as Comparison["comparator"], value };
  return comparison.left.includes("@") ? signalCriterion(words, comparison) : summaryCriterion(words, comparison);
}

function judgeComparison({ left, comparator, value }: Comparison, measured: number, unit: string): Judgement {
  return { result: String(holds(comparator, measured, value)), detail: `${left} = ${measured}${unit && ` ${unit}`}` };
}

function requirementCriterion(text: string): Criterion {
  const required = requirement(text);
  return {
    text: required.text,
    untilUs: Infinity,
    requirement: required,
    check: () => {},
    judge: (session) => {
      // The verdicts on the description's own requirements come first, so the last verdict is on this requirement.
      const { verdict, binding } = session.result().verdicts.at(-1)!;
      const detail = binding === undefined ? "" : `${binding.predicate} at ${binding.tUs / 1e6} s`;
      return { result: verdict, detail };
    },
  };
}

function summaryCriterion(text: string, comparison: Comparison): Criterion {
  const numbersOf = (session: FlightSession): Readonly<Record<string, number>> => {
    const { extremes, end } = session.result();
    return { ...extremes, endS: end.endUs / 1e6 };
  };
  return {
    text,
    untilUs: Infinity,
    check: (session) => {
      const known = Object.keys(numbersOf(session));
      if (known.includes(comparison.left)) return;
      throw badResultError(
        `the summary has no number ${show(comparison.left)}`,
        `${oneOfNames(comparison.left, known)}; a signal needs an instant, e.g. "${comparison.left}@20 s"`,
      );
    },
    judge: (session) => judgeComparison(comparison, numbersOf(session)[comparison.left]!, ""),
  };
}

function signalCriterion(text: string, comparison: Comparison): Criterion {
  const [signal = "", time = ""] = comparison.left.split("@").map((part) => part.trim());
  const seconds = parseDurationText(time);
  if (seconds === undefined) throw badResultError(`${show(time)} is not a time`, 'write e.g. "posNed.n@20 s > 5"');
  const untilUs = secondsToUs(seconds);
  return {
    text,
    untilUs,
    check: (session) => void readSignal(session.situation(), signal),
    judge: (session) => {
      if (session.isOver && session.nowUs < untilUs) {
        return { result: ENDED_BEFORE, detail: `the flight ended at ${session.nowUs / 1e6} s` };
      }
      const { value, unit } = readSignal(session.situation(), signal);
      return judgeComparison(comparison, value, unit);
    },
  };
}

/**
 * Reads one number: a component by name (`posNed.n`) or by its number from 1, as in requirements (`motorSpeed[2]`), or the
 * only component (`armed`).
 */
function readSignal({ state, signals }: Situation, text: string): { value: number; unit: string } {
  const [, name = "", byName, byNumber] = /^([A-Za-z0-9]*)(?:\.(\w+)|\[([0-9]+)\])?$/.exec(text) ?? [];
  const all = [...state, ...signals.flatMap(({ values }) => values)];
  const found = all.find((each) => each.name === name);
  if (found === undefined) {
    const known = all.map((each) => each.name);
    throw badResultError(`the flight has no signal ${show(name || text)}`, oneOfNames(name, known));
  }
  const { components, values, unit } = found;
  const at = byName !== undefined ? components.indexOf(byName) : byNumber !== undefined ? Number(byNumber) - 1 : 0;
  const isGiven = byName !== undefined || byNumber !== undefined;
  if (values[at] !== undefined && (isGiven || values.length === 1)) return { value: values[at], unit };
  const example =
    components[0] === undefined
      ? `${name}[1] to ${name}[${values.length}]`
      : components.map((one) => `${name}.${one}`).join(", ");
  throw badResultError(`${show(text)} is not one number`, `use one of its components: ${example}`);
}

function badResultError(what: string, fix: string): Error {
  return bisectErrors.badResult({ what, where: { key: "on" }, fix });
}
