/**
 * The bus: one Float64Array that holds every signal, and the object through which parts read and write it.
 *
 * The signals of one writer are contiguous, in table order, so that each digest and each stream of the recorder covers
 * one range. At run time all views are the same object; the types (`View<W>`) decide which signals a part may read or
 * write, at no run-time cost.
 */
import type { StateLayout } from "../state/index.ts";
import type { OutputsView, Readable, ReadonlyView, Truth, View } from "./contracts.ts";
import {
  type Dims,
  SIGNAL_NAMES,
  type SignalName,
  type Writer,
  WRITERS,
  hasSignal,
  signalSpec,
  sizeOf,
} from "../signals/table.ts";

export interface PlacedSignal {
  readonly name: SignalName;
  readonly offset: number;
  readonly size: number;
}

/** The signals with their specs. A flight makes several layouts, and looking up a hundred names each time is slow. */
const SPECS = SIGNAL_NAMES.map((name) => ({ name, spec: signalSpec(name) }));

/** The offset and size of every signal on the bus, for a vehicle of these dimensions. */
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
      for (const { name, spec } of SPECS) {
        if (spec.writer !== writer || !hasSignal(spec, dims)) continue;
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

export class Bus {
  readonly layout: BusLayout;
  readonly values: Float64Array;
  /** All signals, writable. Only the engine has this type; parts receive the same object under narrower types. */
  private readonly everything: Record<string, Float64Array | Truth>;

  constructor(dims: Dims, truth: Truth) {
    this.layout = new BusLayout(dims);
    this.values = new Float64Array(this.layout.size);
    const [at, size] = this.layout.ranges.outputs;
    const absent = SIGNAL_NAMES.filter((name) => !hasSignal(signalSpec(name), dims));
    // Built in one call: adding this many keys one by one leaves V8 with a dictionary, which is slow to read.
    this.everything = Object.fromEntries([
      ["truth", truth],
      ["outputs", this.values.subarray(at, at + size)],
      ...this.layout.signals.map(({ name, offset, size }) => [name, this.values.subarray(offset, offset + size)]),
      ...absent.map((name) => [name, new Float64Array(0)]),
    ]) as Record<string, Float64Array | Truth>;
    this.reset();
  }

  /** Sets every signal to its initial value. */
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

/** The true state by block name. Blocks are subarrays of x, whose buffer never changes during a flight. */
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
