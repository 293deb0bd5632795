/**
 * The bus: one Float64Array that holds every signal, and the object through which parts see it.
 *
 * Signals of one writer are contiguous, in table order, so that digests and recorder streams are ranges. All views
 * are the same object at run time; who may write or see what is settled by types (`View<W>`), at no cost.
 */
import type { StateLayout } from "../state/index.ts";
import type { InputLayout, OutputsView, Readable, ReadonlyView, Truth, View } from "./contracts.ts";
import {
  type Dims,
  type InputSignal,
  SIGNAL_NAMES,
  type SignalName,
  type Writer,
  WRITERS,
  signalSpec,
  sizeOf,
} from "../signals/table.ts";

export interface PlacedSignal {
  readonly name: SignalName;
  readonly offset: number;
  readonly size: number;
}

/** Where every signal lies for a vehicle of these dimensions. */
export class BusLayout {
  readonly dims: Dims;
  readonly signals: readonly PlacedSignal[];
  readonly size: number;
  /** `[offset, size]` of each writer's range. */
  readonly ranges: Readonly<Record<Writer, readonly [offset: number, size: number]>>;

  constructor(dims: Dims) {
    this.dims = dims;
    const signals: PlacedSignal[] = [];
    const ranges: Partial<Record<Writer, readonly [number, number]>> = {};
    let offset = 0;
    for (const writer of WRITERS) {
      const start = offset;
      for (const name of SIGNAL_NAMES) {
        const spec = signalSpec(name);
        if (spec.writer !== writer) continue;
        const size = sizeOf(spec, dims);
        signals.push({ name, offset, size });
        offset += size;
      }
      ranges[writer] = [start, offset - start];
    }
    this.signals = signals;
    this.size = offset;
    this.ranges = ranges as Record<Writer, readonly [number, number]>;
  }

  find(name: SignalName): PlacedSignal {
    return this.signals.find((signal) => signal.name === name)!;
  }
}

/** Offsets of the input signals in the plant's frozen input u, in table order. */
export function inputLayout(dims: Dims): InputLayout & { readonly offsets: Readonly<Record<InputSignal, number>> } {
  const offsets: Partial<Record<InputSignal, number>> = {};
  let size = 0;
  for (const name of SIGNAL_NAMES) {
    const spec = signalSpec(name);
    if (spec.input !== true) continue;
    offsets[name as InputSignal] = size;
    size += sizeOf(spec, dims);
  }
  return { size, offsets: offsets as Record<InputSignal, number> };
}

export class Bus {
  readonly layout: BusLayout;
  readonly values: Float64Array;
  /** Everything, writable: the engine alone holds it, and hands it out under narrower types. */
  private readonly everything: Record<string, Float64Array | Truth>;

  constructor(dims: Dims, truth: Truth) {
    this.layout = new BusLayout(dims);
    this.values = new Float64Array(this.layout.size);
    const [at, size] = this.layout.ranges.outputs;
    // Made at once: added one by one, so many keys would leave a dictionary, which is slow to read from.
    this.everything = Object.fromEntries([
      ["truth", truth],
      ["outputs", this.values.subarray(at, at + size)],
      ...this.layout.signals.map(({ name, offset, size }) => [name, this.values.subarray(offset, offset + size)]),
    ]) as Record<string, Float64Array | Truth>;
    this.reset();
  }

  /** Every signal back to its initial value. */
  reset(): void {
    for (const { name, offset, size } of this.layout.signals) {
      const { initial } = signalSpec(name);
      for (let i = 0; i < size; i += 1) {
        this.values[offset + i] = typeof initial === "number" ? initial : initial[i]!;
      }
    }
  }

  view<W extends Writer>(_writer: W): View<W> {
    return this.everything as unknown as View<W>;
  }

  outputsView(): OutputsView {
    return this.everything as unknown as OutputsView;
  }

  readonlyView(): ReadonlyView {
    return this.everything as unknown as ReadonlyView;
  }

  signal(name: SignalName): Float64Array {
    return this.everything[name] as Float64Array;
  }
}

/** The true state by block name: windows on x, which never moves during a flight. */
export class TruthWindow implements Truth {
  readonly layout: StateLayout;
  private readonly x: Float64Array;

  constructor(layout: StateLayout, x: Float64Array) {
    this.layout = layout;
    this.x = x;
  }

  block(name: string, neededBy: string): Readable {
    const { offset, size } = this.layout.require(name, neededBy);
    return this.x.subarray(offset, offset + size);
  }

  whole(): Readable {
    return this.x;
  }
}
