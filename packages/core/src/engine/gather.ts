/**
 * From the bus into the plant's frozen input: the input signals of those who spoke, and whether any bit of it changed.
 *
 * Signals that the same writers change, and that lie side by side in both, are one range: two standing windows.
 */
import { type Bus, inputLayout } from "./bus.ts";
import { type InputSignal, signalSpec } from "../signals/table.ts";
import { changersOf } from "./stages.ts";

interface Range {
  /** Bits of those who change it. */
  readonly changers: number;
  readonly from: Float64Array;
  readonly to: Float64Array;
}

export class InputGatherer {
  private readonly ranges: readonly Range[];

  constructor({ layout, values }: Bus, u: Float64Array) {
    this.ranges = placed(layout).map(({ changers, at, inputAt, size }) => ({
      changers,
      from: values.subarray(at, at + size),
      to: u.subarray(inputAt, inputAt + size),
    }));
  }

  /** Copies what the writers in a due set may have changed; true if any bit did. */
  gather(due: number): boolean {
    const { ranges } = this;
    let changed = false;
    for (let k = 0; k < ranges.length; k += 1) {
      const { changers, from, to } = ranges[k]!;
      if ((changers & due) === 0) continue;
      for (let i = 0; i < from.length; i += 1) {
        const value = from[i]!;
        // −0 is not 0; of NaN, which has many bits, there is none (law 10).
        if (Object.is(value, to[i]!)) continue;
        to[i] = value;
        changed = true;
      }
    }
    return changed;
  }
}

interface Placed {
  readonly changers: number;
  readonly at: number;
  readonly inputAt: number;
  size: number;
}

function placed(layout: Bus["layout"]): readonly Placed[] {
  const { offsets } = inputLayout(layout.dims);
  const ranges: Placed[] = [];
  for (const name of Object.keys(offsets) as InputSignal[]) {
    const { offset: at, size } = layout.find(name);
    const inputAt = offsets[name];
    const changers = changersOf(signalSpec(name).writer);
    const last = ranges.at(-1);
    const isNext = last?.changers === changers && last.at + last.size === at && last.inputAt + last.size === inputAt;
    if (isNext) last.size += size;
    else ranges.push({ changers, at, inputAt, size });
  }
  return ranges;
}
