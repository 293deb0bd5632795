/**
 * The values, events and predicates that requirements use, at one sample of a flight. Each is evaluated once per
 * sample, however many requirements use it.
 *
 * The steps run in the order in which they were added. A step is added after those that it needs, so one pass
 * evaluates values, events, frozen values, predicates and rising edges.
 */
import type { NamedValue } from "../quantities/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { COMPARATORS, FACT, isKept, marginOf } from "./comparison.ts";
import type { SampleParts } from "./sample-parts.ts";
import type { Comparator, EventTree } from "./tree.ts";
import { evaluateInto, OP, type ValueProgram } from "./value-program.ts";

/**
 * Writes a value at the present sample, in its stored unit. It returns nothing, because a returned number allocates.
 */
export type ValueReader = (out: Float64Array, at: number) => void;
/** Whether an event happens at the present sample; called once per sample. */
export type EventReader = () => boolean;
export type PlainEvent = Exclude<EventTree, { event: "edge" }>;

/** The values and events of a flight or a log, for requirements. */
export interface SampleSource {
  /** The meaning of a name in this flight or log; undefined if it has none. */
  named(name: string): NamedValue | undefined;
  /** All names, for suggestions. */
  names(): readonly string[];
  /** Why the value does not exist here; undefined if it does. */
  missing(value: NamedValue): { readonly what: string; readonly fix: string } | undefined;
  reader(value: NamedValue, component: number): ValueReader;
  /** The number of the array that holds the value as it is or negated; undefined if the value must be computed. */
  place?(value: NamedValue, component: number): ValuePlace | undefined;
  /** The arrays of the places, at the present sample. */
  readonly arrays?: readonly Float64Array[];
  /** Undefined if there is no such event. */
  event(event: PlainEvent): EventReader | undefined;
  /** Why an event cannot be recognised here; absent if every known event can. */
  missingEvent?(event: PlainEvent): { readonly what: string; readonly fix: string } | undefined;
  /** Names of events, for suggestions. */
  eventNames(): readonly string[];
  /** Planned end of the flight. */
  readonly endUs?: number | undefined;
}

/** A value that needs no computation: `sign` times one element of one of the source's arrays. */
export interface ValuePlace {
  readonly array: number;
  readonly offset: number;
  readonly sign: 1 | -1;
}

/** How a predicate is decided. */
type PredicateKind =
  | {
      readonly kind: "compare";
      readonly comparator: Comparator;
      readonly left: ValueProgram;
      readonly right: ValueProgram;
    }
  /** A comparison of flags, codes, counts or indices, which have no margin. */
  | {
      readonly kind: "fact";
      readonly comparator: Comparator;
      readonly left: ValueProgram;
      readonly right: ValueProgram;
    }
  | { readonly kind: "event"; readonly event: number };

type Comparison = Exclude<PredicateKind, { kind: "event" }>;

export interface Predicate {
  readonly index: number;
  readonly text: string;
  /** Coherent unit of its margin; empty if it has no margin, and for plain numbers. */
  readonly unit: string;
  readonly isFact: boolean;
  /**
   * A difference of practical importance, in that unit. Margins in different units are divided by it to compare them.
   */
  readonly scale: number;
  readonly isEvent: boolean;
}

/** A formula without temporal words, decided at the present sample. */
export type Instant =
  | { readonly is: "predicate"; readonly index: number; readonly sign: 1 | -1 }
  | { readonly is: "both"; readonly isMin: boolean; readonly left: Instant; readonly right: Instant };

/** Most comparisons are of one quantity with one number. They need neither a program nor a separate function. */
function isPlain({ left, right }: Comparison): boolean {
  return left.ops.length === 1 && left.ops[0] === OP.cell && right.ops.length === 1 && right.ops[0] === OP.number;
}

/**
 * Cells of an event: how often it has happened, and when it first and last happened. A rising edge also has the truth
 * of its formula at the last sample, and one microsecond later, when events have ended.
 */
const COUNT = 0;
const FIRST_US = 1;
const LAST_US = 2;
const WAS_TRUE = 3;
const STAYS_TRUE = 4;
const EVENT_CELLS = 5;

/** Numbers per cell that is copied, and per plain comparison. */
const COPY_FIELDS = 4;
const PLAIN_FIELDS = 3;

export class Sample implements Saveable {
  /** Time of the present sample, in µs. */
  readonly time = new Float64Array(1);
  /** Margin and left-hand value of each predicate at the present sample. */
  margins = new Float64Array(0);
  values = new Float64Array(0);
  readonly predicates: Predicate[] = [];
  private cells = new Float64Array(0);
  private readonly readers: ValueReader[] = [];
  private readonly readerCells: number[] = [];
  /** Cells that are copied: cell, number of the array, offset and sign, one after the other. */
  private copied = new Int32Array(0);
  private arrays: readonly Float64Array[] = [];
  private readonly cellKeys = new Map<string, number>();
  private readonly frozenCells: number[] = [];
  private readonly predicateKeys = new Map<string, number>();
  private readonly eventKeys = new Map<string, number>();
  private eventMemory = new Float64Array(0);
  /** 1 if the event happens at the present sample. */
  private fired = new Uint8Array(0);
  /** What is evaluated at a sample, in order: functions, and plain comparisons, whose functions are empty. */
  private readonly steps: (() => void)[] = [];
  /** Of each step that is a plain comparison: its number; −1 of others. */
  private plainSteps = new Int32Array(0);
  /** Plain comparisons: predicate, cell and comparator, one after the other; and the numbers that they compare with. */
  private plain = new Int32Array(0);
  private plainNumbers = new Float64Array(0);
  private readonly pair = new Float64Array(2);
  /** Time of the previous sample; of the present one after it was evaluated. */
  private readonly previousUs = Float64Array.of(-Infinity);
  /** Time of the sample before the present one. */
  readonly beforeUs = Float64Array.of(-Infinity);
  /**
   * The margin of a comparison with a value that is not known, e.g. of an invalid sample in a log: the worst or the
   * best. Undefined for flights, which know every value: a comparison with something that is not a number is then
   * false.
   */
  readonly unknown: number | undefined;

  constructor(unknown?: number) {
    this.unknown = unknown;
  }

  /** Returns the cell of one component of a named value. */
  cellOf(value: NamedValue, component: number, source: SampleSource): number {
    return this.keyed(`${value.source.from}/${value.source.name}/${component}`, (cell) => {
      const place = source.place?.(value, component);
      if (place === undefined) {
        this.readers.push(source.reader(value, component));
        this.readerCells.push(cell);
      } else {
        this.arrays = source.arrays!;
        this.copied = Int32Array.from([...this.copied, cell, place.array, place.offset, place.sign]);
      }
    });
  }

  /** Returns the cell that keeps the value that another cell had when an event last happened. */
  frozenCell(cell: number, event: number): number {
    return this.keyed(`frozen/${cell}/${event}`, (frozen) => {
      this.frozenCells.push(frozen);
      this.addStep(() => {
        if (this.fired[event] === 1) this.cells[frozen] = this.cells[cell]!;
      });
    });
  }

  /** Returns the number of an event that the source detects. */
  eventOf(key: string, reader: EventReader): number {
    return this.keyedEvent(key, (event) => {
      this.addStep(() => this.mark(event, reader()));
    });
  }

  /** Returns the number of the event that a formula becomes true. */
  edgeOf(key: string, formula: Instant): number {
    return this.keyedEvent(key, (event) => {
      this.addStep(() => {
        const { eventMemory, time, previousUs } = this;
        const at = EVENT_CELLS * event;
        const isTrue = this.holds(formula);
        const wasTrue = eventMemory[at + (time[0] === previousUs[0]! + 1 ? WAS_TRUE : STAYS_TRUE)];
        this.mark(event, isTrue && wasTrue === 0);
        eventMemory[at + WAS_TRUE] = isTrue ? 1 : 0;
        eventMemory[at + STAYS_TRUE] = this.staysTrue(formula) ? 1 : 0;
      });
    });
  }

  /** Returns the number of a predicate; the same text is the same predicate. */
  predicateOf(key: string, decided: PredicateKind, described: Omit<Predicate, "index">): number {
    const known = this.predicateKeys.get(key);
    if (known !== undefined) return known;
    const index = this.predicates.length;
    this.predicateKeys.set(key, index);
    this.predicates.push({ ...described, index });
    this.margins = new Float64Array(index + 1);
    this.values = new Float64Array(index + 1);
    if (decided.kind === "event") this.addStep(this.eventStep(index, decided.event));
    else if (isPlain(decided)) this.addPlainStep(index, decided);
    else this.addStep(this.compareStep(index, decided));
    return index;
  }

  /** Whether a formula without temporal words holds at the present sample. */
  holds(formula: Instant): boolean {
    if (formula.is === "predicate") return isKept(formula.sign * this.margins[formula.index]!);
    const { isMin, left, right } = formula;
    return isMin ? this.holds(left) && this.holds(right) : this.holds(left) || this.holds(right);
  }

  /** Whether the formula holds without the events of the present sample. */
  private staysTrue(formula: Instant): boolean {
    if (formula.is === "predicate") {
      const { index, sign } = formula;
      return isKept(sign * (this.predicates[index]!.isEvent ? -Infinity : this.margins[index]!));
    }
    const { isMin, left, right } = formula;
    return isMin ? this.staysTrue(left) && this.staysTrue(right) : this.staysTrue(left) || this.staysTrue(right);
  }

  isFired(event: number): boolean {
    return this.fired[event] === 1;
  }

  countOf(event: number): number {
    return this.eventMemory[EVENT_CELLS * event + COUNT]!;
  }

  /** Returns when an event first happened; infinite if it has not happened. */
  firstUs(event: number): number {
    return this.countOf(event) === 0 ? Infinity : this.eventMemory[EVENT_CELLS * event + FIRST_US]!;
  }

  /** Evaluates a value that belongs to no predicate, for measures. */
  evaluateInto(out: Float64Array, at: number, program: ValueProgram): void {
    evaluateInto(out, at, program, this.cells);
  }

  /** Evaluates everything at a sample. */
  update(): void {
    const { readers, readerCells, cells, steps, copied, arrays, plainSteps } = this;
    for (let i = 0; i < copied.length; i += COPY_FIELDS) {
      cells[copied[i]!] = copied[i + 3]! * arrays[copied[i + 1]!]![copied[i + 2]!]!;
    }
    for (let i = 0; i < readers.length; i += 1) readers[i]!(cells, readerCells[i]!);
    for (let i = 0; i < plainSteps.length; i += 1) {
      if (plainSteps[i]! < 0) steps[i]!();
      else this.comparePlain(plainSteps[i]!);
    }
    this.beforeUs[0] = this.previousUs[0]!;
    this.previousUs[0] = this.time[0]!;
  }

  /** The array from which values are copied first; each flight has its own. */
  get firstArray(): Float64Array | undefined {
    return this.arrays[0] ?? this.cells;
  }

  /** Returns everything that is evaluated at a sample, as generated code needs it. */
  get parts(): SampleParts {
    const { cells, margins, values, time, previousUs, fired, plainNumbers, arrays, copied, plain, plainSteps } = this;
    const isCall = (_: unknown, i: number) => plainSteps[i]! < 0;
    return {
      cells,
      margins,
      values,
      time,
      previousUs,
      beforeUs: this.beforeUs,
      fired,
      plainNumbers,
      arrays,
      copies: Array.from({ length: copied.length / COPY_FIELDS }, (_, i) => {
        const [cell, array, offset, sign] = copied.subarray(COPY_FIELDS * i);
        return { cell: cell!, array: array!, offset: offset!, sign: sign! };
      }),
      readers: this.readerCells,
      steps: Array.from(plainSteps, (number) => {
        const [index, cell, code] = plain.subarray(Math.max(0, PLAIN_FIELDS * number));
        return number < 0 ? "call" : { number, index: index!, cell: cell!, code: code! };
      }),
      functions: [...this.readers, ...this.steps.filter(isCall)],
    };
  }

  save(writer: SnapshotWriter): void {
    writer.number(this.time[0]!);
    writer.number(this.previousUs[0]!);
    writer.numbers(this.eventMemory);
    for (const cell of this.frozenCells) writer.number(this.cells[cell]!);
  }

  load(reader: SnapshotReader): void {
    this.time[0] = reader.number();
    this.previousUs[0] = reader.number();
    reader.numbersInto(this.eventMemory);
    for (const cell of this.frozenCells) this.cells[cell] = reader.number();
  }

  private keyed(key: string, add: (cell: number) => void): number {
    const known = this.cellKeys.get(key);
    if (known !== undefined) return known;
    const cell = this.cellKeys.size;
    this.cellKeys.set(key, cell);
    this.cells = new Float64Array(cell + 1);
    add(cell);
    return cell;
  }

  private keyedEvent(key: string, add: (event: number) => void): number {
    const known = this.eventKeys.get(key);
    if (known !== undefined) return known;
    const event = this.eventKeys.size;
    this.eventKeys.set(key, event);
    this.eventMemory = new Float64Array(EVENT_CELLS * (event + 1));
    this.fired = new Uint8Array(event + 1);
    add(event);
    return event;
  }

  private mark(event: number, happens: boolean): void {
    this.fired[event] = happens ? 1 : 0;
    if (!happens) return;
    const { eventMemory, time } = this;
    const at = EVENT_CELLS * event;
    if (eventMemory[at + COUNT] === 0) eventMemory[at + FIRST_US] = time[0]!;
    eventMemory[at + COUNT]! += 1;
    eventMemory[at + LAST_US] = time[0]!;
  }

  private eventStep(index: number, event: number): () => void {
    return () => {
      this.margins[index] = this.fired[event] === 1 ? Infinity : -Infinity;
      this.values[index] = this.fired[event]!;
    };
  }

  private addStep(step: () => void): void {
    this.steps.push(step);
    this.plainSteps = Int32Array.from([...this.plainSteps, -1]);
  }

  private addPlainStep(index: number, { kind, comparator, left, right }: Comparison): void {
    const number = this.plainNumbers.length;
    const code = COMPARATORS.indexOf(comparator) + (kind === "fact" ? FACT : 0);
    this.plain = Int32Array.from([...this.plain, index, left.args[0]!, code]);
    this.plainNumbers = Float64Array.from([...this.plainNumbers, right.args[0]!]);
    this.steps.push(() => {});
    this.plainSteps = Int32Array.from([...this.plainSteps, number]);
  }

  private comparePlain(number: number): void {
    const { plain } = this;
    const at = PLAIN_FIELDS * number;
    const left = this.cells[plain[at + 1]!]!;
    this.decide(plain[at]!, plain[at + 2]!, left, this.plainNumbers[number]!);
  }

  private compareStep(index: number, { kind, comparator, left, right }: Comparison): () => void {
    const { pair } = this;
    const code = COMPARATORS.indexOf(comparator) + (kind === "fact" ? FACT : 0);
    return () => {
      evaluateInto(pair, 0, left, this.cells);
      evaluateInto(pair, 1, right, this.cells);
      this.decide(index, code, pair[0]!, pair[1]!);
    };
  }

  private decide(index: number, code: number, left: number, right: number): void {
    const found = marginOf(code % FACT, left, right);
    this.values[index] = left;
    if (this.unknown !== undefined && (left !== left || right !== right)) this.margins[index] = NaN;
    else if (found !== found) this.margins[index] = -Infinity;
    else this.margins[index] = code < FACT ? found : isKept(found) ? Infinity : -Infinity;
  }
}
