/** The first half of a bisection: finds the differences between two flights that are needed for the bad result. */
import type { PlainObject } from "../params/index.ts";
import type { FlightSession } from "../run/session/session.ts";
import type { Judgement } from "./criterion.ts";
import { ddmin } from "./ddmin.ts";
import type { FlightDifference, FlightMix } from "./differences.ts";

/** A trial: the good flight with some differences (`keys`) taken from the bad flight. */
export interface CauseTrial extends Judgement {
  readonly keys: readonly string[];
  /** `unresolved`: the trial cannot be flown, or its result is neither the good nor the bad one. */
  readonly verdict: "good" | "bad" | "unresolved";
}

/** A flight that was flown and judged. */
export interface JudgedFlight {
  readonly session: FlightSession;
  readonly judgement: Judgement;
}

/** Delta debugging over the differences of two flights. Each description is flown once. */
export class CauseSearch {
  readonly trials: CauseTrial[] = [];
  /** The flight with the smallest set of differences that gave the bad result. */
  smallest: FlightSession;
  private readonly mix: FlightMix;
  private readonly goodResult: string;
  private readonly badResult: string;
  private readonly fly: (spec: PlainObject) => JudgedFlight | undefined;
  private readonly verdicts = new Map<string, boolean>();

  constructor(
    mix: FlightMix,
    goodResult: string,
    bad: JudgedFlight,
    fly: (spec: PlainObject) => JudgedFlight | undefined,
  ) {
    this.mix = mix;
    this.goodResult = goodResult;
    this.badResult = bad.judgement.result;
    this.smallest = bad.session;
    this.fly = fly;
  }

  run(): readonly FlightDifference[] {
    return ddmin(this.mix.differences, (part) => this.isBad(part));
  }

  private isBad(part: readonly FlightDifference[]): boolean {
    const key = part.map((difference) => this.mix.differences.indexOf(difference)).join();
    const known = this.verdicts.get(key);
    if (known !== undefined) return known;
    const flown = this.fly(this.mix.specWith(part));
    const judgement = flown?.judgement ?? { result: "not valid", detail: "" };
    const isBad = judgement.result === this.badResult;
    if (isBad) this.smallest = flown!.session;
    const verdict = isBad ? "bad" : judgement.result === this.goodResult ? "good" : "unresolved";
    this.trials.push({ keys: part.map((difference) => difference.key), verdict, ...judgement });
    this.verdicts.set(key, isBad);
    return isBad;
  }
}
