/**
 * The contracts: the interfaces that a plant, an integrator, a source, a probe, an observer and a sink must implement.
 *
 * The engine depends only on these: it contains no rotor, no wind model and no file access. Calls on the hot path take
 * typed arrays, because V8 boxes a fractional number that is passed in a call that it does not inline.
 */
import type { Clock } from "../time/clock.ts";
import type { Axis } from "../time/axis.ts";
import type { Saveable, StateLayout } from "../state/index.ts";
import type { Dynamics } from "../integrate/contract.ts";
import type { SignalName, SignalTable, TruthSignal, Writer } from "../signals/table.ts";
import type { SourceWriter } from "./stages.ts";

export type {
  DenseStep,
  Dynamics,
  Equations,
  Integrator,
  IntegratorContext,
  IntegratorStats,
  EventFinder,
} from "../integrate/contract.ts";

/** The values of a signal or of a block of the state, read-only. */
export interface Readable {
  readonly length: number;
  readonly [index: number]: number;
}

/** Offsets of the `input` signals in the plant's frozen input u. */
export interface InputLayout {
  readonly size: number;
  readonly offsets: { readonly [name: string]: number };
}

/** A system with derivatives (`Dynamics`), and its hooks. It is constant after assembly: all its memory is in x. */
export interface Plant extends Dynamics {
  initialInto(x: Float64Array): void;
  /** Writes the signals of writer `outputs` through `y`; pure in (time, x, u). If absent, the plant has no outputs. */
  readonly outputsInto?: (y: OutputsView, timeS: Float64Array, x: Float64Array, u: Float64Array) => void;
  /** Applies the discontinuities after the autopilot ran: turns x⁻ into x⁺. Idempotent. */
  readonly jump?: (x: Float64Array, u: Float64Array) => void;
  /** Moves x back into its physically valid set after an interval; returns the number of slots it corrected. */
  readonly project?: (x: Float64Array) => number;
  readonly seamCount?: number;
  /** Writes one value per seam to g; the value changes sign when the equations change. */
  readonly seamsInto?: (g: Float64Array, timeS: Float64Array, x: Float64Array, u: Float64Array) => void;
  /** A cheap test: returns true only if every value of `seamsInto` is negative. Then `seamsInto` is not called. */
  readonly isClearOfEvents?: (x: Float64Array, u: Float64Array) => boolean;
}

/** The true state by block name, for sources that may read it. */
export interface Truth {
  readonly layout: StateLayout;
  /** A live view of a block of x. If the plant has no such block, a typed error names the part that needs it. */
  block(name: string, neededBy: string): Readable;
  /** All of x, for sources that find several blocks by the layout. */
  whole(): Readable;
}

/** Writers that must not read the true state. All other writers may read it. */
export type WithoutTruth = "autopilot";

type Own<W extends Writer> = {
  readonly [N in SignalName as SignalTable[N]["writer"] extends W ? N : never]: Float64Array;
};
type Others<W extends Writer> = {
  readonly [
    N in SignalName as SignalTable[N]["writer"] extends W
      ? never
      : W extends WithoutTruth
        ? N extends TruthSignal
          ? never
          : N
        : N
  ]: Readable;
};

/**
 * The bus as writer W sees it. W can write its own signals and read all others and the true state; an autopilot cannot
 * read the true state or signals marked `truth`. Types derived from the signal table enforce this; at run time all
 * views are one object.
 */
export type View<W extends Writer> = Own<W> &
  Others<W> &
  (W extends WithoutTruth ? unknown : { readonly truth: Truth });

/** The signals that a plant writes: its outputs by name, and all of them in one array, in table order. */
export type OutputsView = View<"outputs"> & { readonly outputs: Float64Array };

/** The bus as probes and recorders see it: everything, read-only. */
export type ReadonlyView = { readonly [N in SignalName]: Readable } & { readonly truth: Truth };

/** A text message from a part that runs outside this process, such as PX4. */
export interface SourceMessage {
  /** Flight time at which it arrived. */
  readonly tUs: number;
  readonly isWarning: boolean;
  readonly text: string;
}

/** A part that writes its own signals at its own ticks, and writes nothing else. */
export interface Source<W extends SourceWriter = SourceWriter> extends Saveable {
  readonly writer: W;
  readonly axis: Axis;
  // A property, not a method: methods are compared bivariantly and would accept a wider view.
  readonly update: (clock: Clock, bus: View<W>) => void;
  /** True while the source waits for an answer from outside this process. The loop pauses until it is false. */
  readonly waiting?: boolean;
  /** Writes the answer. The loop calls it at the same boundary, once `waiting` is false. */
  readonly answer?: (clock: Clock, bus: View<W>) => void;
  /**
   * How to restore the source. `saved` (default): from a checkpoint. `fly-again`: by flying from the start with
   * recorded inputs. `refused`: the source cannot be restored.
   */
  readonly restore?: "saved" | "fly-again" | "refused";
  /** Messages of the source. The list only grows, and each message becomes an event of the flight. */
  readonly messages?: readonly SourceMessage[];
}

/**
 * Continuous quantities whose threshold crossings are located inside an interval (law 8). A located crossing becomes a
 * boundary, at which the scenario's condition is true.
 */
export interface EventFunctions {
  readonly crossingCount: number;
  /** Fills g[i] with quantity i minus its threshold. A pure function of (time, x). */
  readonly crossingsInto: (g: Float64Array, timeS: Float64Array, x: Float64Array) => void;
  /** 1 if crossing i is armed; other crossings are ignored. */
  readonly armed: Readable;
}

export interface ScenarioSource extends Source<"scenario"> {
  readonly eventFunctions?: EventFunctions;
  /** Receives, at assembly, the function that inserts a boundary strictly in the future. */
  readonly connect?: (insert: (tUs: number) => void) => void;
  /** True if the last update changed no signal of the scenario. Then the engine does not check or copy its signals. */
  readonly isIdle?: boolean;
}

/** Reads the bus at autopilot ticks, after the estimator and before the autopilot. */
export interface Probe {
  readonly observe: (clock: Clock, bus: ReadonlyView) => void;
}

/** The data that observers read in place at the end of a boundary. */
export interface BoundaryView {
  readonly clock: Clock;
  /** `[t (µs), x, u]` in one buffer. */
  readonly frame: Float64Array;
  readonly stateSize: number;
  readonly bus: Float64Array;
  /** The due set (`DUE_BITS`). */
  readonly due: number;
  /** Whether the outputs were evaluated at this boundary. */
  readonly outputsRan: boolean;
  /** Whether any bit of u differs from the previous boundary's; true at the first. */
  readonly inputChanged: boolean;
  /** True if the scenario ran at this boundary and changed none of its signals. */
  readonly isScenarioIdle?: boolean;
}

/**
 * A part, such as a digest or a recorder, that is called at the end of boundaries, after the discontinuities.
 *
 * An observer saves its memory in checkpoints (`save` and `load`). A recorder's history is too large for checkpoints,
 * so when a checkpoint is loaded, the recorder discards the part of its history that is later (`rewindTo`).
 */
export interface Observer extends Partial<Saveable> {
  readonly observe: (view: BoundaryView) => void;
  /** Discards the data of this boundary (given by its number and its time) and of all later ones. */
  readonly rewindTo?: (boundary: number, tUs: number) => void;
  /** The observer is called at the first boundary and when one of these bits is due; if absent, at every boundary. */
  readonly dueMask?: number;
}

/**
 * One column of a log: a component of a signal or of the state.
 *
 * The last three fields identify the component. They are absent in a column of a log that was read from a file.
 */
export interface Column {
  readonly name: string;
  readonly unit: string;
  readonly about: string;
  /** Name of the signal, or of the block of the state. */
  readonly signal?: string;
  /** Index in the signal or block, from 0. */
  readonly component?: number;
  /** Writer of the signal; `plant` for the state. */
  readonly writer?: Writer | "plant";
}

/** Turns log rows into bytes. `row` must copy the values that it needs, because the array is reused. */
export interface Sink {
  open(columns: readonly Column[]): void;
  row(tUs: number, row: Readable): void;
  /** True if the sink keeps everything in memory, so that the flight can be flown synchronously. */
  readonly neverFull?: boolean;
  /** True if the sink writes the autopilot's parameters when it is opened, so the parameters must be known by then. */
  readonly holdsParameters?: boolean;
  /** True when the loop should pause until `drain` resolves. */
  readonly isFull: boolean;
  drain(): Promise<void>;
  close(): Promise<void>;
}
