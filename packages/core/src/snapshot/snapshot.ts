/**
 * Snapshots for checkpoints: every part with memory saves its values and loads them again.
 *
 * A snapshot is a flat list of float64 values in named sections, so it can be hashed, stored and compared bit by bit.
 * Reading checks the names and lengths of sections, so a part that reads another part's values fails immediately.
 */
import { invariant, InvariantError } from "../errors/index.ts";
import { snapshotErrors } from "./errors.ts";

interface SnapshotSection {
  readonly name: string;
  readonly values: Float64Array;
}

/** Saves values in a fixed order. */
export interface SnapshotWriter {
  /** Starts a section; the values that follow belong to it. */
  section(name: string): void;
  number(value: number): void;
  numbers(values: ArrayLike<number>): void;
  /** Called before and after each member of declared memory, with its name. */
  readonly enter?: (name: string) => void;
  readonly leave?: () => void;
}

/** Reads values in the order in which they were saved. */
export interface SnapshotReader {
  section(name: string): void;
  number(): number;
  numbersInto(out: Float64Array): void;
  /** Number of values left in the section, for lists of variable length. */
  remaining(): number;
}

/** Implemented by parts with memory; a part without memory writes nothing. */
export interface Saveable {
  save(writer: SnapshotWriter): void;
  load(reader: SnapshotReader): void;
}

/**
 * Memory that is declared once; saving and loading walk it in the order of declaration. It consists of numbers, flags
 * (saved as 0 or 1), arrays of numbers, parts that save themselves, and lists and records of these.
 */
export type Memory = object;

/** A part whose whole memory is declared in one place. */
export abstract class PartWithMemory implements Saveable {
  protected abstract readonly memory: Memory;
  private memoryIndex: MemoryIndex | undefined;

  save(writer: SnapshotWriter): void {
    this.memoryIndex ??= new MemoryIndex(this.memory);
    this.memoryIndex.save(writer);
  }

  load(reader: SnapshotReader): void {
    this.memoryIndex ??= new MemoryIndex(this.memory);
    this.memoryIndex.load(reader);
  }
}

/** Declares the memory of a part that is not a class. */
export function withMemory(...memory: readonly Memory[]): Saveable {
  const index = new MemoryIndex(memory);
  return { save: (writer) => index.save(writer), load: (reader) => index.load(reader) };
}

/** Memory may hold NaN, but a checkpoint must not. NaN is saved as this finite number, which no part ever computes. */
const SAVED_NAN = -Number.MAX_VALUE;

/** A member of declared memory: a number or flag, an array, or a part that saves itself. */
interface Leaf {
  readonly owner: Record<string, unknown>;
  readonly name: string;
  /** The names of the members that lead to the leaf. */
  readonly path: readonly string[];
  readonly array?: Float64Array;
  readonly part?: Saveable;
}

/**
 * The leaves of declared memory. Checkpoints are frequent (one per 0.5 s of flight in a session), so the declaration is
 * walked once and not for every checkpoint. It is walked again if a member has been replaced by another object.
 */
class MemoryIndex {
  private readonly root: { readonly memory: Memory };
  private leaves: Leaf[] = [];
  /** The objects that the walk visited, to detect that a member has been replaced. */
  private links: { readonly owner: Record<string, unknown>; readonly name: string; readonly value: unknown }[] = [];

  constructor(memory: Memory) {
    this.root = { memory };
  }

  save(writer: SnapshotWriter): void {
    this.refresh();
    const { leaves } = this;
    for (let i = 0; i < leaves.length; i += 1) {
      const { owner, name, path, array, part } = leaves[i]!;
      if (writer.enter !== undefined) for (const member of path) writer.enter(member);
      if (part !== undefined) part.save(writer);
      else if (array === undefined) saveCell(writer, owner[name] as number | boolean);
      else if (hasNaN(array)) for (const value of array) saveCell(writer, value);
      else writer.numbers(array);
      if (writer.leave !== undefined) for (let depth = path.length; depth > 0; depth -= 1) writer.leave();
    }
  }

  load(reader: SnapshotReader): void {
    this.refresh();
    for (const { owner, name, array, part } of this.leaves) {
      if (part !== undefined) part.load(reader);
      else if (array !== undefined) for (let i = 0; i < array.length; i += 1) array[i] = loadNumber(reader);
      else if (typeof owner[name] === "boolean") owner[name] = reader.number() === 1;
      else owner[name] = loadNumber(reader);
    }
  }

  private refresh(): void {
    const { links } = this;
    let isCurrent = links.length > 0;
    for (let i = 0; i < links.length; i += 1) isCurrent &&= links[i]!.owner[links[i]!.name] === links[i]!.value;
    if (isCurrent) return;
    this.leaves = [];
    this.links = [];
    this.visit(this.root as Record<string, unknown>, "memory", []);
  }

  private visit(owner: Record<string, unknown>, name: string, path: readonly string[]): void {
    const value = owner[name];
    if (isCell(name, value)) {
      this.leaves.push({ owner, name, path });
      return;
    }
    this.links.push({ owner, name, value });
    if (value instanceof Float64Array) this.leaves.push({ owner, name, path, array: value });
    else if (isSaveable(value as Memory)) this.leaves.push({ owner, name, path, part: value as Saveable });
    else for (const key of Object.keys(value as Memory)) this.visit(value as typeof owner, key, [...path, key]);
  }
}

function hasNaN(values: Float64Array): boolean {
  for (let i = 0; i < values.length; i += 1) if (Number.isNaN(values[i]!)) return true;
  return false;
}

function saveCell(writer: SnapshotWriter, value: number | boolean): void {
  writer.number(Number.isNaN(value) ? SAVED_NAN : Number(value));
}

function loadNumber(reader: SnapshotReader): number {
  const saved = reader.number();
  return saved === SAVED_NAN ? NaN : saved;
}

function isCell(name: string, value: unknown): value is number | boolean {
  if (typeof value === "number" || typeof value === "boolean") return true;
  if (typeof value === "object" && value !== null) return false;
  throw new InvariantError(`"${name}" cannot be saved: ${String(value)}`);
}

function isSaveable(memory: Memory): memory is Saveable {
  return "save" in memory && typeof memory.save === "function";
}

/** Values of declared memory, with the names of the members that lead to them, e.g. `rates.integral`. */
export interface NamedValues {
  readonly name: string;
  readonly values: readonly number[];
}

/**
 * Returns the memory of a part by name. Names omit array indices and `m`, the member that holds most parts' memory.
 * Values of a part that does not declare its memory have an empty name.
 */
export function memoryValues(part: Saveable): readonly NamedValues[] {
  const found: { name: string; values: number[] }[] = [];
  const path: string[] = [];
  const add = (value: number) => {
    const name = path.filter((member) => !/^(\d+|m)$/.test(member)).join(".");
    const last = found.at(-1);
    const shown = value === SAVED_NAN ? NaN : value;
    if (last?.name === name) last.values.push(shown);
    else found.push({ name, values: [shown] });
  };
  part.save({
    section: () => {},
    number: add,
    numbers: (values) => Array.from(values).forEach(add),
    enter: (name) => void path.push(name),
    leave: () => void path.pop(),
  });
  return found;
}

/** The saved state of a flight's parts, and the flight to which it belongs. */
export class Snapshot {
  readonly sections: readonly SnapshotSection[];
  /** Hash of the flight's definition; empty for parts and for flights without one. */
  readonly flightHash: string;

  constructor(sections: readonly SnapshotSection[], flightHash = "") {
    this.sections = sections;
    this.flightHash = flightHash;
  }

  static of(part: Saveable, name = "part"): Snapshot {
    const writer = new SnapshotBuilder();
    writer.section(name);
    part.save(writer);
    return writer.finish();
  }

  /** Loads a part saved by `Snapshot.of` under the same name. */
  into(part: Saveable, name = "part"): void {
    const reader = this.reader();
    reader.section(name);
    part.load(reader);
    reader.end();
  }

  reader(): SnapshotCursor {
    return new SnapshotCursor(this.sections);
  }
}

/** Initial capacity of a builder, in values. A whole flight needs about a thousand. */
const INITIAL_CAPACITY = 2048;
/** Lists up to this length are copied value by value, which is faster than a call of `set`. */
const MAX_LOOP_LENGTH = 32;

export class SnapshotBuilder implements SnapshotWriter {
  private readonly sections: { readonly name: string; readonly start: number }[] = [];
  private values: Float64Array;
  /** Values so far. */
  count = 0;

  /** `capacity`: the expected number of values, if it is known. */
  constructor(capacity = INITIAL_CAPACITY) {
    this.values = new Float64Array(capacity);
  }

  section(name: string): void {
    this.sections.push({ name, start: this.count });
  }

  number(value: number): void {
    this.reserve(1);
    this.values[this.count] = value;
    this.count += 1;
  }

  numbers(values: ArrayLike<number>): void {
    const { length } = values;
    this.reserve(length);
    if (length > MAX_LOOP_LENGTH) this.values.set(values, this.count);
    else for (let i = 0; i < length; i += 1) this.values[this.count + i] = values[i]!;
    this.count += length;
  }

  finish(flightHash = ""): Snapshot {
    const { sections, count } = this;
    const values = count === this.values.length ? this.values : this.values.slice(0, count);
    return new Snapshot(
      sections.map(({ name, start }, i) => ({ name, values: values.subarray(start, sections[i + 1]?.start ?? count) })),
      flightHash,
    );
  }

  private reserve(more: number): void {
    invariant(this.sections.length > 0, "a snapshot starts with a section");
    if (this.count + more <= this.values.length) return;
    const larger = new Float64Array(2 * (this.count + more));
    larger.set(this.values.subarray(0, this.count));
    this.values = larger;
  }
}

class SnapshotCursor implements SnapshotReader {
  private readonly sections: readonly SnapshotSection[];
  private sectionIndex = -1;
  private valueIndex = 0;

  constructor(sections: readonly SnapshotSection[]) {
    this.sections = sections;
  }

  section(name: string): void {
    this.expectSectionDone();
    this.sectionIndex += 1;
    this.valueIndex = 0;
    const found = this.sections[this.sectionIndex]?.name;
    if (found !== name) {
      throw mismatch(
        `a checkpoint holds ${found === undefined ? "nothing more" : `"${found}"`}, but "${name}" is expected`,
      );
    }
  }

  number(): number {
    const section = this.sections[this.sectionIndex];
    if (section === undefined || this.valueIndex >= section.values.length) {
      throw mismatch(`checkpoint section "${section?.name ?? "none"}" ends too early`);
    }
    const value = section.values[this.valueIndex]!;
    this.valueIndex += 1;
    return value;
  }

  numbersInto(out: Float64Array): void {
    for (let i = 0; i < out.length; i += 1) out[i] = this.number();
  }

  remaining(): number {
    return (this.sections[this.sectionIndex]?.values.length ?? 0) - this.valueIndex;
  }

  end(): void {
    this.expectSectionDone();
    if (this.sectionIndex + 1 < this.sections.length) {
      throw mismatch(`a checkpoint holds "${this.sections[this.sectionIndex + 1]!.name}", which no part read`);
    }
  }

  private expectSectionDone(): void {
    const section = this.sections[this.sectionIndex];
    if (section !== undefined && this.valueIndex < section.values.length) {
      throw mismatch(
        `checkpoint section "${section.name}" holds ${section.values.length} values, of which ${this.valueIndex} were read`,
      );
    }
  }
}

function mismatch(what: string): Error {
  const fix = "load a checkpoint into the flight it was taken from (same resolved flight, same version)";
  return snapshotErrors.mismatch({ what, fix });
}
