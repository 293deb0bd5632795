/**
 * The values, events and predicates that requirements use, over a block of consecutive samples.
 *
 * If the source has a keeper, the keeper only stores a sample when it occurs, and values and events are read when the
 * block is full or a result is needed. Then the steps run in order; each step is a loop over the samples of the block.
 * A step is added after the steps whose results it uses. Each value, event and predicate is evaluated once, however
 * many requirements use it. No result depends on where a block ends.
 */
import type { NamedValue } from "../quantities/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { isSatisfied } from "./comparison.ts";
import {
  type Column,
  Comparison,
  EventPredicate,
  findExtremes,
  type Predicate,
  type PredicateInfo,
} from "./predicate.ts";
import { freeze, negate } from "./columns.ts";
import type { EventReader, KeptColumn, KeptSamples, PlainEvent, SampleSource, ValueReader } from "./sample-source.ts";
import type { Comparator } from "./tree.ts";
import { ColumnProgram, OP, type ValueProgram } from "./value-program.ts";

/**
 * Samples per block, about a second of flight. The code that evaluates a block is not in the processor's caches when it
 * begins, so short blocks take more time per sample.
 */
export const BLOCK_SIZE = 256;

/** How a predicate is decided. */
type PredicateKind =
  | {
      readonly kind: "compare";
      readonly comparator: Comparator;
      readonly left: ValueProgram;
      readonly right: ValueProgram;
    }
  | { readonly kind: "event"; readonly event: number };

/** A formula without temporal words, decided at one sample. */
export type InstantFormula =
  | { readonly is: "predicate"; readonly index: number; readonly sign: 1 | -1 }
  | {
      readonly is: "pair";
      readonly takesLeast: boolean;
      readonly left: InstantFormula;
      readonly right: InstantFormula;
    };

/**
 * Indices of an event's memory: how often it has happened, and when it first happened. For a rising edge, two more:
 * whether its formula is true at the last sample, and whether it is true one microsecond later, when events have ended.
 */
const COUNT = 0;
const FIRST_US = 1;
const WAS_TRUE = 2;
const STAYS_TRUE = 3;
const EVENT_CELLS = 4;

interface SampledEvent {
  /** 1 at each sample of the block at which the event happens. */
  readonly fired: Uint8Array;
  readonly memory: Float64Array;
  /** How often it had happened before the block. */
  readonly countBefore: Float64Array;
}

interface BlockOptions {
  /** The margin of a comparison with an unknown value. */
  readonly unknown?: number | undefined;
  /** Samples per block, at most as many as the keeper keeps. */
  readonly size?: number | undefined;
  /** Keeps the samples until they are evaluated. */
  readonly keeper?: KeptSamples | undefined;
}

export class SampleBlock implements Saveable {
  /** Number of samples in the block, and their times. */
  count = 0;
  readonly timesUs: Float64Array;
  /** Time of the last sample; 0 before the first. */
  readonly lastUs = new Float64Array(1);
  /** Time of the last sample before the block. */
  readonly beforeUs = Float64Array.of(-Infinity);
  /** Longest time between two samples before this block. */
  readonly longestGapUs = new Float64Array(1);
  readonly predicates: Predicate[] = [];
  /**
   * The margin of a comparison with an unknown value, e.g. of an invalid sample in a log: the worst or the best.
   * Undefined for flights: all their values are known, and a comparison with NaN is false, except `!=`.
   */
  readonly unknown: number | undefined;
  private readonly size: number;
  private readonly keeper: KeptSamples | undefined;
  private readonly columns: Float64Array[] = [];
  private readonly compared = new Map<Float64Array, Column>();
  private readonly readers: { readonly column: Float64Array; readonly read: ValueReader }[] = [];
  private readonly eventReaders: { readonly fired: Uint8Array; readonly happens: EventReader }[] = [];
  /** The value that each column of frozen values holds at the last sample. */
  private readonly frozen: Float64Array[] = [];
  private readonly events: SampledEvent[] = [];
  private readonly steps: (() => void)[] = [];
  private readonly cellKeys = new Map<string, number>();
  private readonly eventKeys = new Map<string, number>();
  private readonly predicateKeys = new Map<string, number>();

  constructor({ unknown, keeper, size = keeper?.size ?? BLOCK_SIZE }: BlockOptions = {}) {
    this.unknown = unknown;
    this.keeper = keeper;
    this.size = size;
    this.timesUs = new Float64Array(size);
  }

  /** Returns the cell of one component of a named value. A cell is the index of a column. */
  cellOf(value: NamedValue, component: number, source: SampleSource): number {
    return this.cell(`${value.source.from}/${value.source.name}/${component}`, () => {
      const kept = source.keptColumn?.(value, component);
      if (kept !== undefined) return this.signedColumn(kept);
      const column = new Float64Array(this.size);
      const readColumn = source.columnReader?.(value);
      if (readColumn !== undefined) this.steps.push(() => readColumn(column, this.count));
      else this.readers.push({ column, read: source.reader!(value, component) });
      return column;
    });
  }

  /** Returns the cell that holds the value of another cell at the last occurrence of an event. */
  frozenCell(cell: number, event: number): number {
    return this.cell(`frozen/${cell}/${event}`, () => {
      const column = new Float64Array(this.size);
      const kept = new Float64Array(1);
      this.frozen.push(kept);
      const from = this.columns[cell]!;
      const { fired } = this.events[event]!;
      this.steps.push(() => freeze(column, kept, from, fired, this.count));
      return column;
    });
  }

  /** Returns the number of an event that the source detects; undefined if it has no such event. */
  eventOf(key: string, tree: PlainEvent, source: SampleSource): number | undefined {
    const readColumn = source.eventColumn?.(tree);
    const happens = readColumn === undefined ? source.event(tree) : undefined;
    if (readColumn === undefined && happens === undefined) return undefined;
    return this.event(key, ({ fired, memory }) => {
      if (happens !== undefined) this.eventReaders.push({ fired, happens });
      this.steps.push(() => {
        readColumn?.(fired, this.count);
        for (let k = fired.indexOf(1); k >= 0 && k < this.count; k = fired.indexOf(1, k + 1))
          this.countEvent(memory, k);
      });
    });
  }

  /** Returns the number of the event that happens when a formula becomes true. */
  edgeOf(key: string, formula: InstantFormula): number {
    return this.event(key, ({ fired, memory }) => {
      const { timesUs, beforeUs } = this;
      this.steps.push(() => {
        for (let k = 0; k < this.count; k += 1) {
          const previousUs = k > 0 ? timesUs[k - 1]! : beforeUs[0]!;
          const isTrue = this.holds(formula, k);
          const wasTrue = memory[timesUs[k] === previousUs + 1 ? WAS_TRUE : STAYS_TRUE];
          fired[k] = isTrue && wasTrue === 0 ? 1 : 0;
          if (fired[k] === 1) this.countEvent(memory, k);
          memory[WAS_TRUE] = isTrue ? 1 : 0;
          memory[STAYS_TRUE] = this.staysTrue(formula, k) ? 1 : 0;
        }
      });
    });
  }

  /** Returns the number of a predicate. Predicates with equal keys have the same number. */
  predicateOf(key: string, decided: PredicateKind, info: PredicateInfo): number {
    const known = this.predicateKeys.get(key);
    if (known !== undefined) return known;
    const index = this.predicates.length;
    this.predicateKeys.set(key, index);
    if (decided.kind === "event") {
      this.predicates.push(new EventPredicate(info, index, this.events[decided.event]!.fired));
    } else {
      const { comparator } = decided;
      const [left, right] = [this.comparedColumn(decided.left), this.comparedColumn(decided.right)];
      const hasUnknown = this.unknown !== undefined;
      this.predicates.push(new Comparison(info, index, { left, right, comparator, hasUnknown }));
    }
    return index;
  }

  /** Returns the values of a program. */
  columnOf(program: ValueProgram): Float64Array {
    const values = new ColumnProgram(program, this.columns, this.size);
    if (!values.isPlain) this.steps.push(() => values.evaluate(this.count));
    return values.out;
  }

  /** Returns the values of a program with their extremes. */
  private comparedColumn(program: ValueProgram): Column {
    const values = this.columnOf(program);
    const known = this.compared.get(values);
    if (known !== undefined) return known;
    const column = { values, extremes: Float64Array.of(values[0]!, values[0]!) };
    this.compared.set(values, column);
    const isConstant = program.ops.length === 1 && program.ops[0] === OP.number;
    if (!isConstant) this.steps.push(() => findExtremes(column, this.count));
    return column;
  }

  /** Whether a formula without temporal words holds at the k-th sample. */
  holds(formula: InstantFormula, k: number): boolean {
    if (formula.is === "predicate") {
      const predicate = this.predicates[formula.index]!;
      predicate.computeMargins(this.count);
      return isSatisfied(formula.sign * predicate.margins[k]!);
    }
    const { takesLeast, left, right } = formula;
    return takesLeast ? this.holds(left, k) && this.holds(right, k) : this.holds(left, k) || this.holds(right, k);
  }

  /** Whether an event happens in the block. */
  isFiredInBlock(event: number): boolean {
    const { memory, countBefore } = this.events[event]!;
    return memory[COUNT] !== countBefore[0];
  }

  /** Whether an event happens at the k-th sample. */
  isFired(event: number, k: number): boolean {
    return this.events[event]!.fired[k] === 1;
  }

  /** Returns how often an event has happened up to the end of the block. */
  countOf(event: number): number {
    return this.events[event]!.memory[COUNT]!;
  }

  /** Returns when an event first happened; infinite if it has not happened. */
  firstUs(event: number): number {
    const { memory } = this.events[event]!;
    return memory[COUNT] === 0 ? Infinity : memory[FIRST_US]!;
  }

  /** Raises a cell to the time at which an event first happened; to infinity if it has not happened. */
  raiseToFirst(cellUs: Float64Array, event: number): void {
    const { memory } = this.events[event]!;
    cellUs[0] = memory[COUNT] === 0 ? Infinity : Math.max(cellUs[0]!, memory[FIRST_US]!);
  }

  /** Adds the present sample of the source. Returns whether the block is full; it must then be evaluated. */
  add(timeUs: Float64Array): boolean {
    const { keeper, count } = this;
    this.timesUs[count] = timeUs[0]!;
    this.lastUs[0] = timeUs[0]!;
    if (keeper === undefined) this.read(count);
    else keeper.keep(count);
    this.count = count + 1;
    return this.count === this.size;
  }

  /** Evaluates the samples of the block. */
  evaluate(): void {
    const { steps, keeper, count } = this;
    keeper?.prepare(count, this.timesUs);
    if (keeper !== undefined && this.readers.length + this.eventReaders.length > 0) {
      for (let k = 0; k < count; k += 1) {
        keeper.select(k, this.timesUs);
        this.read(k);
      }
    }
    for (let i = 0; i < steps.length; i += 1) steps[i]!();
  }

  /** Reads the values and events of the present sample of the source, which is the k-th of the block. */
  private read(k: number): void {
    const { readers, eventReaders } = this;
    for (let i = 0; i < readers.length; i += 1) readers[i]!.read(readers[i]!.column, k);
    for (let i = 0; i < eventReaders.length; i += 1) {
      eventReaders[i]!.fired[k] = eventReaders[i]!.happens() ? 1 : 0;
    }
  }

  /** Begins the next block. */
  clear(): void {
    const { timesUs, beforeUs, longestGapUs, predicates, count } = this;
    for (let i = 0; i < predicates.length; i += 1) predicates[i]!.endBlock(timesUs, count);
    this.updateCountsBefore();
    let lastUs = beforeUs[0]!;
    let longestUs = longestGapUs[0]!;
    for (let k = 0; k < count; k += 1) {
      const gapUs = timesUs[k]! - lastUs;
      if (gapUs > longestUs && gapUs < Infinity) longestUs = gapUs;
      lastUs = timesUs[k]!;
    }
    beforeUs[0] = lastUs;
    longestGapUs[0] = longestUs;
    this.count = 0;
  }

  /** Saves everything but the samples of the block, which must have been evaluated. */
  save(writer: SnapshotWriter): void {
    for (const cells of this.memory()) writer.numbers(cells);
  }

  load(reader: SnapshotReader): void {
    this.count = 0;
    for (const cells of this.memory()) reader.numbersInto(cells);
    this.updateCountsBefore();
  }

  private updateCountsBefore(): void {
    const { events } = this;
    for (let i = 0; i < events.length; i += 1) events[i]!.countBefore[0] = events[i]!.memory[COUNT]!;
  }

  private memory(): readonly Float64Array[] {
    const { lastUs, beforeUs, longestGapUs, frozen, events, predicates } = this;
    const ofEvents = events.map(({ memory }) => memory);
    return [lastUs, beforeUs, longestGapUs, ...frozen, ...ofEvents, ...predicates.map(({ run }) => run)];
  }

  private cell(key: string, columnOf: () => Float64Array): number {
    const known = this.cellKeys.get(key);
    if (known !== undefined) return known;
    const cell = this.columns.push(columnOf()) - 1;
    this.cellKeys.set(key, cell);
    return cell;
  }

  private signedColumn({ values, sign }: KeptColumn): Float64Array {
    if (sign === 1) return values;
    const column = new Float64Array(this.size);
    this.steps.push(() => negate(column, values, this.count));
    return column;
  }

  private event(key: string, add: (event: SampledEvent) => void): number {
    const known = this.eventKeys.get(key);
    if (known !== undefined) return known;
    const event = {
      fired: new Uint8Array(this.size),
      memory: new Float64Array(EVENT_CELLS),
      countBefore: new Float64Array(1),
    };
    const index = this.events.push(event) - 1;
    this.eventKeys.set(key, index);
    add(event);
    return index;
  }

  private countEvent(memory: Float64Array, k: number): void {
    if (memory[COUNT] === 0) memory[FIRST_US] = this.timesUs[k]!;
    memory[COUNT]! += 1;
  }

  /** Whether the formula holds without the events of the k-th sample. */
  private staysTrue(formula: InstantFormula, k: number): boolean {
    if (formula.is === "predicate") {
      const predicate = this.predicates[formula.index]!;
      predicate.computeMargins(this.count);
      return isSatisfied(formula.sign * (predicate.info.isEvent ? -Infinity : predicate.margins[k]!));
    }
    const { takesLeast, left, right } = formula;
    return takesLeast
      ? this.staysTrue(left, k) && this.staysTrue(right, k)
      : this.staysTrue(left, k) || this.staysTrue(right, k);
  }
}
