/**
 * Measures: numbers of a flight, written in the language of requirements, e.g. `max tilt during 10 s..60 s`.
 *
 * A value is held from one sample to the next, so a mean is weighted by time. A measure that is undefined, such as the
 * time of an event that did not happen, has no value.
 */
import { type Saveable, Snapshot, type SnapshotReader, type SnapshotWriter } from "../snapshot/index.ts";
import { Compiler } from "./compile.ts";
import { Sample, type SampleSource } from "./sample.ts";
import { addNodes } from "./monitor.ts";
import type { MonitorNode } from "./nodes.ts";
import { parseMeasureTree } from "./parser.ts";
import { ANY_FLIGHT } from "./requirement.ts";
import { type Segments, START, VALUE } from "./segments.ts";
import { measureText } from "./text.ts";
import type { MeasureTree, SpanTree } from "./tree.ts";
import type { ValueProgram } from "./value-program.ts";

/** A number of a flight, by its text. */
export interface Measure {
  readonly name: string;
  /** Canonical text. */
  readonly text: string;
  /** Unit of the result; empty for counts and plain numbers. */
  readonly unit: string;
  /** The text as written; the places in the tree refer to it. */
  readonly written: string;
  readonly tree: MeasureTree;
}

/** The result of a measure. */
export interface MeasureResult {
  readonly name: string;
  readonly text: string;
  readonly unit: string;
  /** Null if the measure is undefined for this flight. */
  readonly value: number | null;
}

/** Reads a measure and checks everything that does not depend on a flight. */
export function parseMeasure(text: string, name?: string): Measure {
  const tree = parseMeasureTree(text);
  const canonical = measureText(tree);
  const measure = { name: name ?? canonical, text: canonical, written: text, tree, unit: "" };
  return { ...measure, unit: new MeasureMonitor(measure, new Sample(), ANY_FLIGHT).unit };
}

/** Computes a measure from the samples of a flight. */
export class MeasureMonitor implements Saveable {
  readonly measure: Measure;
  readonly unit: string;
  private readonly sample: Sample;
  private readonly finder: Finder;

  constructor(measure: Measure, sample: Sample, source: SampleSource) {
    this.measure = measure;
    this.sample = sample;
    const compiler = new Compiler(measure.written, source, sample);
    const { tree } = measure;
    switch (tree.measure) {
      case "first time":
        this.finder = new FirstTime(compiler, tree, sample);
        this.unit = "s";
        break;
      case "time of":
      case "count of": {
        const event = compiler.event(tree.event);
        this.unit = tree.measure === "time of" ? "s" : "";
        this.finder = tree.measure === "time of" ? new TimeOf(sample, event) : new CountOf(sample, event);
        break;
      }
      default: {
        const { program, unit } = compiler.value(tree.of);
        this.unit = unit;
        this.finder = new Statistic(sample, program, tree, [...compiler.frozenBy]);
      }
    }
  }

  /** Processes the present sample. */
  step(): void {
    this.finder.step();
  }

  /** Returns the result if the flight ends at the present sample. */
  result(): MeasureResult {
    const { name, text } = this.measure;
    return { name, text, unit: this.unit, value: this.finder.value(this.sample.time[0]!) };
  }

  save(writer: SnapshotWriter): void {
    this.finder.save(writer);
  }

  load(reader: SnapshotReader): void {
    this.finder.load(reader);
  }
}

interface Finder extends Saveable {
  step(): void;
  value(endUs: number): number | null;
}

class TimeOf implements Finder {
  private readonly sample: Sample;
  private readonly event: number;

  constructor(sample: Sample, event: number) {
    this.sample = sample;
    this.event = event;
  }

  step(): void {}

  value(): number | null {
    const firstUs = this.sample.firstUs(this.event);
    return firstUs === Infinity ? null : firstUs / 1e6;
  }

  save(): void {}
  load(): void {}
}

class CountOf implements Finder {
  private readonly sample: Sample;
  private readonly event: number;

  constructor(sample: Sample, event: number) {
    this.sample = sample;
    this.event = event;
  }

  step(): void {}

  value(): number {
    return this.sample.countOf(this.event);
  }

  save(): void {}
  load(): void {}
}

/** The first instant at which a formula certainly holds. */
class FirstTime implements Finder {
  private readonly sample: Sample;
  private readonly nodes: MonitorNode[] = [];
  private readonly root: Segments;
  private readonly firstUs = Float64Array.of(Infinity);
  private readonly frozenBy: readonly number[];

  constructor(compiler: Compiler, { of }: Extract<MeasureTree, { measure: "first time" }>, sample: Sample) {
    this.sample = sample;
    this.root = addNodes(compiler.formula(of), sample, this.nodes, { isScaled: false });
    this.frozenBy = [...compiler.frozenBy];
  }

  step(): void {
    for (let i = 0; i < this.nodes.length; i += 1) this.nodes[i]!.step();
    this.takeUpTo(this.root.final);
  }

  value(endUs: number): number | null {
    const before = Snapshot.of(this);
    for (const node of this.nodes) node.finish({ endUs, unknown: -Infinity });
    this.takeUpTo(endUs);
    const firstUs = this.firstUs[0]!;
    before.into(this);
    return firstUs === Infinity ? null : firstUs / 1e6;
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.firstUs);
    for (const node of this.nodes) node.save(writer);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.firstUs);
    for (const node of this.nodes) node.load(reader);
  }

  private takeUpTo(finalUs: number): void {
    const { root, firstUs } = this;
    let knownUs = -Infinity;
    for (const event of this.frozenBy) knownUs = Math.max(knownUs, this.sample.firstUs(event));
    while (root.count > 0 && root.data[root.at(0) + START]! <= finalUs) {
      const at = root.at(0);
      const value = root.data[at + VALUE]!;
      const startUs = Math.max(root.data[at + START]!, knownUs);
      if (value > 0 || Object.is(value, 0)) firstUs[0] = Math.min(firstUs[0]!, startUs);
      root.dropFirst();
    }
  }
}

// Cells of a statistic.
const LOOKS = 0;
const MINIMUM = 1;
const MAXIMUM = 2;
const SUM = 3;
const SQUARES = 4;
const WEIGHT_US = 5;
const LAST = 6;
const LAST_US = 7;
/** 1 once a value inside the span was processed. */
const TAKEN = 8;
const CELLS = 9;

/** A statistic of a held value over a span. */
class Statistic implements Finder {
  private readonly sample: Sample;
  private readonly program: ValueProgram;
  private readonly kind: "max" | "min" | "mean" | "rms" | "final";
  private readonly during: SpanTree | undefined;
  private readonly frozenBy: readonly number[];
  private readonly cells = new Float64Array(CELLS);
  private readonly now = new Float64Array(1);

  constructor(
    sample: Sample,
    program: ValueProgram,
    { measure, during }: Extract<MeasureTree, { during: unknown }>,
    frozenBy: readonly number[],
  ) {
    this.sample = sample;
    this.program = program;
    this.kind = measure;
    this.during = during;
    this.frozenBy = frozenBy;
  }

  step(): void {
    const { sample, cells, now } = this;
    for (let i = 0; i < this.frozenBy.length; i += 1) if (sample.countOf(this.frozenBy[i]!) === 0) return;
    const tUs = sample.time[0]!;
    sample.evaluateInto(now, 0, this.program);
    this.hold(cells, tUs);
    // If the span has ended, the value held before is the last one.
    if (tUs > this.toUs() && cells[LOOKS]! > 0) {
      cells[LAST_US] = tUs;
      return;
    }
    cells[LAST] = now[0]!;
    cells[LAST_US] = tUs;
    cells[LOOKS]! += 1;
    if (tUs >= this.fromUs()) this.take(cells);
  }

  value(endUs: number): number | null {
    const cells = this.cells.slice();
    this.hold(cells, Math.max(endUs, cells[LAST_US]!));
    if (cells[LOOKS] === 0 || endUs < this.fromUs()) return null;
    if (cells[TAKEN] === 0) this.take(cells);
    switch (this.kind) {
      case "max":
        return cells[MAXIMUM]!;
      case "min":
        return cells[MINIMUM]!;
      case "final":
        return cells[LAST]!;
      case "mean":
        return cells[WEIGHT_US] === 0 ? cells[LAST]! : cells[SUM]! / cells[WEIGHT_US]!;
      case "rms":
        return cells[WEIGHT_US] === 0 ? Math.abs(cells[LAST]!) : Math.sqrt(cells[SQUARES]! / cells[WEIGHT_US]!);
    }
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.cells);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.cells);
  }

  private fromUs(): number {
    return this.during?.fromUs ?? -Infinity;
  }

  private toUs(): number {
    return this.during?.toUs ?? Infinity;
  }

  /** Weights the value of the last sample by the time for which it was held inside the span. */
  private hold(cells: Float64Array, tUs: number): void {
    if (cells[LOOKS] === 0) return;
    const fromUs = Math.max(cells[LAST_US]!, this.fromUs());
    const heldUs = Math.min(tUs, this.toUs()) - fromUs;
    if (heldUs <= 0) return;
    // A value that was already held when the span began counts from the beginning of the span.
    if (cells[LAST_US]! < this.fromUs()) this.take(cells);
    cells[SUM]! += cells[LAST]! * heldUs;
    cells[SQUARES]! += cells[LAST]! * cells[LAST]! * heldUs;
    cells[WEIGHT_US]! += heldUs;
  }

  private take(cells: Float64Array): void {
    const value = cells[LAST]!;
    const isFirst = cells[TAKEN] === 0;
    cells[MINIMUM] = isFirst ? value : Math.min(cells[MINIMUM]!, value);
    cells[MAXIMUM] = isFirst ? value : Math.max(cells[MAXIMUM]!, value);
    cells[TAKEN] = 1;
  }
}
