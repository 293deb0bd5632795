/** A flight as a shrinking problem: its events and varied keys can be dropped, and their numbers can be made milder. */
import { isPlainObject, keyPathText, type PlainObject, secondsToUs } from "@escapement/core";
import type { Candidate, ShrinkNumber, ShrinkProblem } from "./shrink.ts";
import { type Path, valueAt, withValue } from "./spec-values.ts";

interface ViolatingFlight {
  /** The violating flight. It has the end of its timeline and all keys of its events, whose times are in seconds. */
  readonly bad: PlainObject;
  /** The flight from which `bad` differs. A dropped key gets its value. */
  readonly base: PlainObject;
  /** The base with every default, for values that the base does not set. */
  readonly filledBase: PlainObject;
  /** Paths of the settings that are parts. Events are not among them, because each event is a part of its own. */
  readonly keys: readonly Path[];
  /** Range of a number, by its dotted path; unlimited if absent. */
  readonly ranges?: ReadonlyMap<string, readonly [number, number]>;
  /** Dotted paths of numbers with discrete values, which are not changed. */
  readonly fixed?: readonly string[];
  /**
   * Flies a description. Returns the instant of the violation, or undefined if the requirement holds or the description
   * is invalid.
   */
  violationUs(spec: PlainObject): number | undefined;
}

/** Keys of numbers that identify a part, e.g. a motor. A neighbouring number is not milder. */
const IDENTIFIERS: readonly string[] = ["motor", "rotor", "battery", "item", "index", "seed"];
/** Simplifications of the description, with the sections that each replaces. */
const SIMPLIFICATIONS: Readonly<Record<string, PlainObject>> = {
  "still air": { wind: { kind: "none" } },
  "ideal estimator": { estimator: { kind: "truth" } },
  "seed 1": { seed: 1 },
};

export class FlightProblem implements ShrinkProblem {
  readonly events: readonly string[];
  readonly keys: readonly string[];
  readonly numbers: readonly ShrinkNumber[];
  readonly endUs: number;
  readonly simplifications = Object.keys(SIMPLIFICATIONS);
  private readonly flight: ViolatingFlight;
  private readonly scenario: readonly PlainObject[];
  private readonly paths: ReadonlyMap<string, Path>;

  constructor(flight: ViolatingFlight) {
    this.flight = flight;
    this.endUs = secondsToUs((flight.bad["timeline"] as { readonly endS: number }).endS);
    this.scenario = scenarioOf(flight.bad);
    this.events = this.scenario.map((_, i) => `scenario[${i}]`);
    const settings = flight.keys.map((path) => [keyPathText(path), path] as const);
    this.keys = settings.map(([key]) => key);
    const inEvents = this.scenario.flatMap((event, i) =>
      numericLeaves(event).map((path) => ({ part: `scenario[${i}]`, path: ["scenario", i, ...path] as Path })),
    );
    // The numbers inside a table, e.g. another vehicle, are not changed: the table is kept or dropped as a whole.
    const inSettings = settings.flatMap(([key, path]) => {
      const value = valueAt(flight.bad, path);
      return isPlainObject(value)
        ? []
        : numericLeaves(value).map((leaf) => ({ part: key, path: [...path, ...leaf] as Path }));
    });
    const numbers = [...inEvents, ...inSettings]
      .filter(({ path }) => flight.fixed?.includes(keyPathText(path)) !== true)
      .map(({ part, path }) => ({ path, number: this.number(part, path) }));
    this.numbers = numbers.map(({ number }) => number);
    this.paths = new Map(numbers.map(({ path, number }) => [number.name, path]));
  }

  violationUs(candidate: Candidate): number | undefined {
    return this.flight.violationUs(this.specOf(candidate));
  }

  /** Returns the description of a candidate. */
  specOf({ parts, numbers, simplifications, endUs }: Candidate): PlainObject {
    const { bad, keys } = this.flight;
    let spec = bad;
    for (const path of keys)
      if (!parts.includes(keyPathText(path))) spec = withValue(spec, path, this.baseValue(path)) as PlainObject;
    for (const [name, value] of numbers) spec = withValue(spec, this.paths.get(name)!, value) as PlainObject;
    const scenario = scenarioOf(spec).filter((_, i) => parts.includes(`scenario[${i}]`));
    const timeline = spec["timeline"] as PlainObject;
    return {
      ...spec,
      ...Object.assign({}, ...simplifications.map((name) => SIMPLIFICATIONS[name])),
      scenario,
      ...(endUs === undefined ? {} : { timeline: { ...timeline, endS: endUs / 1e6 } }),
    };
  }

  /** Returns the value of a dropped key. Keys inside lists have a value only in the base with every default. */
  private baseValue(path: Path): unknown {
    const { base, filledBase } = this.flight;
    const written = valueAt(base, path);
    return written === undefined && path.some((step) => typeof step === "number") ? valueAt(filledBase, path) : written;
  }

  private number(part: string, path: Path): ShrinkNumber {
    const name = keyPathText(path);
    const value = valueAt(this.flight.bad, path) as number;
    const [min, max] = this.flight.ranges?.get(name) ?? [-Infinity, Infinity];
    return { name, part, value, neutral: this.neutralOf(path, value), min, max };
  }

  /**
   * Returns the value at which a number has no effect: 1 for a gain, the base flight's value for a setting, 0 for an
   * amplitude of an event. A time has no such value, so its own value is returned.
   */
  private neutralOf(path: Path, value: number): number {
    const last = path.filter((step) => typeof step === "string").at(-1)!;
    if (/gain$/i.test(last)) return 1;
    if (path[0] !== "scenario") {
      const baseValue = valueAt(this.flight.filledBase, path);
      return typeof baseValue === "number" ? baseValue : value;
    }
    return /[a-z]S$/.test(last) ? value : 0;
  }
}

function scenarioOf(spec: PlainObject): readonly PlainObject[] {
  return (spec["scenario"] ?? []) as readonly PlainObject[];
}

/** Returns the paths of the numbers in a value that can be made milder. */
function numericLeaves(value: unknown, path: Path = []): Path[] {
  if (typeof value === "number")
    return Number.isFinite(value) && !IDENTIFIERS.includes(String(path.at(-1))) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((entry: unknown, i) => numericLeaves(entry, [...path, i]));
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => numericLeaves(entry, [...path, key]));
}
