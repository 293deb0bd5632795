/**
 * The contracts: what a plant, an integrator, a source, a probe and a sink must fulfil to take part in a flight.
 *
 * The engine knows these and nothing else: no rotor, no wind model, no file. Each is short on purpose. Hot calls take
 * typed arrays, because a fractional number passed through a call that is not inlined is boxed.
 */
import type { Clock } from "../time/clock.ts";
import type { Axis } from "../time/axis.ts";
import type { Saveable, StateLayout } from "../state/index.ts";
import type { Dynamics } from "../integrate/contract.ts";
import type { SignalName, SignalTable, TruthSignal, Writer } from "../signals/table.ts";

export type {
  DenseStep,
  Dynamics,
  Equations,
  Integrator,
  IntegratorContext,
  IntegratorStats,
  Watch,
} from "../integrate/contract.ts";

/** A held value that may be read but not written. */
export interface Readable {
  readonly length: number;
  readonly [index: number]: number;
}

/** The plant's input: offsets of the `input` signals in the frozen vector u. */
export interface InputLayout {
  readonly size: number;
  readonly offsets: { readonly [name: string]: number };
}

/** What has derivatives (`Dynamics`), and its hooks. Constant after assembly: all its memory is in x. */
export interface Plant extends Dynamics {
  initialInto(x: Float64Array): void;
  /** Algebraic outputs, pure: writes the signals of writer `outputs` through `y`. Absent: that stage is not run. */
  readonly outputsInto?: (y: OutputsView, timeS: Float64Array, x: Float64Array, u: Float64Array) => void;
  /** Discontinuities right after the autopilot spoke; idempotent. */
  readonly jump?: (x: Float64Array, u: Float64Array) => void;
  /** Returns x to its physical set after an interval; the number of corrected slots is counted. */
  readonly project?: (x: Float64Array) => number;
  /** Number of seams, and one value a seam that changes sign where the equations change. */
  readonly seamCount?: number;
  readonly seamsInto?: (g: Float64Array, timeS: Float64Array, x: Float64Array, u: Float64Array) => void;
  /** True only where every value of `seamsInto` is negative, and cheaper to ask: then it is not asked. */
  readonly seamsAreFar?: (x: Float64Array, u: Float64Array) => boolean;
}

/** The true state by name: what sources that may see truth are given. */
export interface Truth {
  readonly layout: StateLayout;
  /** A live window on x; a typed error names who misses a block that the plant does not have. */
  block(name: string, neededBy: string): Readable;
  /** The whole of x, for those who place several blocks by the layout. */
  whole(): Readable;
}

/** Sources that may not see truth. Whoever is not listed may. */
export type Blind = "autopilot";

type Own<W extends Writer> = {
  readonly [N in SignalName as SignalTable[N]["writer"] extends W ? N : never]: Float64Array;
};
type Others<W extends Writer> = {
  readonly [
    N in SignalName as SignalTable[N]["writer"] extends W
      ? never
      : W extends Blind
        ? N extends TruthSignal
          ? never
          : N
        : N
  ]: Readable;
};

/**
 * The bus as writer W sees it: its own signals to fill, the others to read, truth only where W may see it. Made from
 * the signal table by types alone; at run time all views are one object.
 */
export type View<W extends Writer> = Own<W> & Others<W> & (W extends Blind ? unknown : { readonly truth: Truth });

/** What a plant fills: its signals by name, and all of them in one array, in table order. */
export type OutputsView = View<"outputs"> & { readonly outputs: Float64Array };

/** The bus as probes and recorders see it: everything, nothing to write. */
export type ReadonlyView = { readonly [N in SignalName]: Readable } & { readonly truth: Truth };

/** Writes its own signals at its own ticks, and nothing else. */
export interface Source<W extends Writer = Writer> extends Saveable {
  readonly writer: W;
  readonly axis: Axis;
  // A property, not a method: methods are compared bivariantly and would accept a wider view.
  readonly update: (clock: Clock, bus: View<W>) => void;
  /** True while an answer from outside this process is awaited: the loop pauses until it is false … */
  readonly waiting?: boolean;
  /** … and then calls this, at the same boundary, to have the answer written. */
  readonly answer?: (clock: Clock, bus: View<W>) => void;
  /** A part outside the process cannot be saved; `fly-again` says it is restored by flying from t0 under recorded inputs. */
  readonly restore?: "saved" | "fly-again" | "refused";
}

/**
 * Continuous quantities whose crossing is located inside an interval (law 8). Value i is below its threshold while
 * negative; the scenario inserts the instant as a boundary and finds its condition true there.
 */
export interface Locates {
  readonly crossingCount: number;
  /** Fills g[i] with quantity minus threshold, pure in (time, x). */
  readonly crossingsInto: (g: Float64Array, timeS: Float64Array, x: Float64Array) => void;
  /** 1 where the crossing is armed and to be looked for. */
  readonly armed: Readable;
}

export interface ScenarioSource extends Source<"scenario"> {
  readonly locates?: Locates;
  /** Given at assembly: asks for a boundary strictly in the future. */
  readonly connect?: (insert: (tUs: number) => void) => void;
}

/** Reads only, at autopilot ticks, after the estimator and before the autopilot. */
export interface Probe {
  readonly observe: (clock: Clock, bus: ReadonlyView) => void;
}

/** What the engine shows observers at the end of a boundary: the frame that a digest or a recorder reads in place. */
export interface BoundaryView {
  readonly clock: Clock;
  /** `[t (µs), x, u]`, one buffer. */
  readonly frame: Float64Array;
  readonly stateSize: number;
  readonly bus: Float64Array;
  /** Bits of what was due (`DUE_BITS`). */
  readonly due: number;
  /** Whether the derived outputs were evaluated here. */
  readonly outputsRan: boolean;
  /** Whether any bit of u differs from the last boundary's; true at the first. */
  readonly inputChanged: boolean;
}

/** Sees boundaries after the discontinuities, all or those it asks for: digests, recorders. Part of a checkpoint. */
export interface Observer extends Saveable {
  readonly observe: (view: BoundaryView) => void;
  /** Bits of which one must be due for it to be shown a boundary; absent: it is shown all of them. */
  readonly shownAt?: number;
}

/** One column of a log: a component of a signal or of the state. */
export interface Column {
  readonly name: string;
  readonly unit: string;
  readonly about: string;
}

/** Turns rows into bytes. `row` copies what it needs; the array is reused. */
export interface Sink {
  open(columns: readonly Column[]): void;
  row(tUs: number, row: Readable): void;
  /** True of a sink that keeps everything in memory: it can be flown synchronously. */
  readonly neverFull?: boolean;
  /** True when the loop should pause until `drain` resolves. */
  readonly isFull: boolean;
  drain(): Promise<void>;
  close(): Promise<void>;
}
