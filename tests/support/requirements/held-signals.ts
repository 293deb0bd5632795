/** Hand-made flights for tests: signals held from sample to sample, and events at given times. */
import { type NamedValue, unitOf } from "../../../packages/core/src/quantities/index.ts";
import { Snapshot } from "../../../packages/core/src/snapshot/index.ts";
import { Judge, type Judged } from "../../../packages/core/src/requirements/judge.ts";
import type { SampleSource, ValueReader } from "../../../packages/core/src/requirements/sample-source.ts";
import { readRequirement } from "../../../packages/core/src/requirements/requirement.ts";
import type { Verdict } from "../../../packages/core/src/requirements/verdict.ts";

export interface HeldFlight {
  readonly timesUs: readonly number[];
  /** Values of each signal at these times, and its unit, which is `flag` for flags. */
  readonly signals: Readonly<Record<string, { readonly unit: string; readonly values: readonly number[] }>>;
  readonly events?: Readonly<Record<string, readonly number[]>>;
}

/** Scales of margins by unit, as in the table of dimensions (quantities/units.ts). */
const SCALES: Readonly<Record<string, number>> = { m: 1, deg: 10 };

class HeldSource implements SampleSource {
  row = 0;
  private readonly flight: HeldFlight;

  constructor(flight: HeldFlight) {
    this.flight = flight;
  }

  named(name: string): NamedValue | undefined {
    const signal = this.flight.signals[name];
    if (signal === undefined) return undefined;
    const { unit } = signal;
    return {
      name,
      about: "",
      source: { from: "state", name },
      size: 1,
      unit: unit === "flag" ? undefined : unitOf(unit === "" ? "1" : unit),
      unitName: unit,
      nameHasUnit: false,
      scale: SCALES[unit] ?? 1,
    };
  }

  names(): string[] {
    return Object.keys(this.flight.signals);
  }

  missing(): undefined {
    return undefined;
  }

  reader(value: NamedValue): ValueReader {
    const { values } = this.flight.signals[value.name]!;
    return (out, at) => {
      out[at] = values[this.row]!;
    };
  }

  event(tree: { readonly event: string; readonly name?: string }): (() => boolean) | undefined {
    const times = tree.event === "named" ? this.flight.events?.[tree.name!] : undefined;
    return times === undefined ? undefined : () => times.includes(this.flight.timesUs[this.row]!);
  }

  eventNames(): string[] {
    return Object.keys(this.flight.events ?? {});
  }
}

interface HeldOptions {
  /** Before this row, the judge's state is saved and loaded into a new judge. */
  readonly interruptAt?: number;
  /** Samples per block. */
  readonly blockSize?: number;
}

/** Judges a hand-made flight. */
export function judgeHeld(flight: HeldFlight, judged: Judged, { interruptAt, blockSize }: HeldOptions = {}): Judge {
  const options = blockSize === undefined ? {} : { blockSize };
  let source = new HeldSource(flight);
  let judge = new Judge(judged, source, options);
  flight.timesUs.forEach((tUs, row) => {
    if (row === interruptAt) {
      const saved = Snapshot.of(judge);
      source = new HeldSource(flight);
      judge = new Judge(judged, source, options);
      saved.into(judge);
    }
    source.row = row;
    judge.addSample(Float64Array.of(tUs));
  });
  return judge;
}

export function verdictOf(flight: HeldFlight, text: string, options: HeldOptions = {}): Verdict {
  return judgeHeld(flight, { requirements: [readRequirement(text)] }, options).verdicts()[0]!;
}
