/**
 * Measures: numbers computed from a flight, written in the language of requirements, e.g. `max tilt during 10 s..60 s`.
 *
 * A value is held from one sample to the next, so a mean is weighted by time. A measure that is undefined, such as the
 * time of an event that did not happen, has no value.
 */
import { PartWithMemory, type Saveable, Snapshot, withMemory } from "../snapshot/index.ts";
import { isSatisfied } from "./comparison.ts";
import { Compiler } from "./compile.ts";
import { SampleBlock } from "./sample-block.ts";
import type { SampleSource } from "./sample-source.ts";
import { addNodes } from "./monitor.ts";
import type { MonitorNode } from "./nodes.ts";
import { parseMeasureTree } from "./parser.ts";
import { ANY_FLIGHT } from "./requirement.ts";
import { type Segments, START, VALUE } from "./segments.ts";
import { measureText } from "./text.ts";
import type { MeasureTree, SpanTree } from "./tree.ts";

/** A number that is computed from a flight. */
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
  return { ...measure, unit: new MeasureMonitor(measure, new SampleBlock(), ANY_FLIGHT).unit };
}

/** Computes a measure from the samples of a flight. */
export class MeasureMonitor extends PartWithMemory {
  readonly measure: Measure;
  readonly unit: string;
  private readonly block: SampleBlock;
  private readonly finder: Finder;
  protected readonly memory;

  constructor(measure: Measure, block: SampleBlock, source: SampleSource) {
    super();
    this.measure = measure;
    this.block = block;
    const compiler = new Compiler(measure.written, source, block);
    const { tree } = measure;
    switch (tree.measure) {
      case "first time":
        this.finder = new FirstTime(compiler, tree, block);
        this.unit = "s";
        break;
      case "time of":
      case "count of": {
        const event = compiler.event(tree.event);
        this.unit = tree.measure === "time of" ? "s" : "";
        this.finder = tree.measure === "time of" ? timeOf(block, event) : countOf(block, event);
        break;
      }
      default: {
        const { program, unit } = compiler.value(tree.of);
        this.unit = unit;
        this.finder = new Statistic(block, block.columnOf(program), tree, [...compiler.frozenBy]);
      }
    }
    this.memory = [this.finder];
  }

  /** Processes the samples of the block. */
  step(): void {
    this.finder.step();
  }

  /** Returns the result as if the flight ended at the last sample. */
  result(): MeasureResult {
    const { name, text } = this.measure;
    return { name, text, unit: this.unit, value: this.finder.value(this.block.lastUs[0]!) };
  }
}

interface Finder extends Saveable {
  step(): void;
  value(endUs: number): number | null;
}

/** Makes a finder of a value that the block of samples already holds. */
function known(value: () => number | null): Finder {
  return { step: () => {}, value, ...withMemory() };
}

function timeOf(block: SampleBlock, event: number): Finder {
  return known(() => {
    const firstUs = block.firstUs(event);
    return firstUs === Infinity ? null : firstUs / 1e6;
  });
}

function countOf(block: SampleBlock, event: number): Finder {
  return known(() => block.countOf(event));
}

// Cells of `FirstTime`.
/** The first instant; infinite if there is none. */
const FOUND_US = 0;
/** Whether the formula holds in the last segment. */
const HOLDS = 1;
/** Start of the last segment. */
const HOLDS_US = 2;

/** The first instant at which a formula certainly holds. */
class FirstTime extends PartWithMemory implements Finder {
  private readonly block: SampleBlock;
  private readonly nodes: MonitorNode[] = [];
  private readonly root: Segments;
  private readonly cells = Float64Array.of(Infinity, 0, 0);
  protected readonly memory = [this.cells, this.nodes];
  private readonly frozenBy: readonly number[];

  constructor(compiler: Compiler, { of }: Extract<MeasureTree, { measure: "first time" }>, block: SampleBlock) {
    super();
    this.block = block;
    this.root = addNodes(compiler.formula(of), block, this.nodes, { isScaled: false });
    this.frozenBy = [...compiler.frozenBy];
  }

  step(): void {
    for (let i = 0; i < this.nodes.length; i += 1) this.nodes[i]!.step();
    this.processUpTo(this.root.finalUs[0]!);
  }

  value(endUs: number): number | null {
    const before = Snapshot.of(this);
    for (const node of this.nodes) node.finish({ endUs, unknown: -Infinity });
    this.processUpTo(endUs);
    const foundUs = this.cells[FOUND_US]!;
    before.into(this);
    return foundUs === Infinity ? null : foundUs / 1e6;
  }

  private processUpTo(finalUs: number): void {
    const { root, cells } = this;
    while (root.count > 0 && root.data[root.at(0) + START]! <= finalUs) {
      const at = root.at(0);
      const startUs = root.data[at + START]!;
      this.processLast(startUs - 1);
      cells[HOLDS] = isSatisfied(root.data[at + VALUE]!) ? 1 : 0;
      cells[HOLDS_US] = startUs;
      root.dropFirst();
    }
    this.processLast(finalUs);
  }

  /** Sets the first time if the last segment holds and is certain up to `toUs`. Values at events must be known. */
  private processLast(toUs: number): void {
    const { cells, block } = this;
    if (cells[HOLDS] === 0 || cells[FOUND_US] !== Infinity) return;
    let fromUs = cells[HOLDS_US]!;
    for (const event of this.frozenBy) fromUs = Math.max(fromUs, block.firstUs(event));
    if (fromUs <= toUs) cells[FOUND_US] = fromUs;
  }
}

// Cells of `Statistic`.
const SAMPLE_COUNT = 0;
const MINIMUM = 1;
const MAXIMUM = 2;
const SUM = 3;
const SQUARES = 4;
const WEIGHT_US = 5;
const LAST = 6;
const LAST_US = 7;
/** 1 once a value inside the span was processed. */
const HAS_VALUE = 8;
const CELLS = 9;

/** A statistic of a held value over a span. */
class Statistic extends PartWithMemory implements Finder {
  private readonly block: SampleBlock;
  private readonly column: Float64Array;
  private readonly kind: "max" | "min" | "mean" | "rms" | "final";
  private readonly during: SpanTree | undefined;
  private readonly frozenBy: readonly number[];
  private readonly cells = new Float64Array(CELLS);
  protected readonly memory = [this.cells];

  constructor(
    block: SampleBlock,
    column: Float64Array,
    { measure, during }: Extract<MeasureTree, { during: unknown }>,
    frozenBy: readonly number[],
  ) {
    super();
    this.block = block;
    this.column = column;
    this.kind = measure;
    this.during = during;
    this.frozenBy = frozenBy;
  }

  step(): void {
    const { block, cells, column } = this;
    let knownUs = -Infinity;
    for (const event of this.frozenBy) knownUs = Math.max(knownUs, block.firstUs(event));
    for (let k = 0; k < block.count; k += 1) {
      const tUs = block.timesUs[k]!;
      if (tUs < knownUs) continue;
      this.weightLastValue(cells, tUs);
      cells[LAST_US] = tUs;
      // If the span has ended, the value held before this sample is the last one of the span.
      if (tUs > this.toUs() && cells[SAMPLE_COUNT]! > 0) continue;
      cells[LAST] = column[k]!;
      cells[SAMPLE_COUNT]! += 1;
      if (tUs >= this.fromUs()) this.addValue(cells);
    }
  }

  value(endUs: number): number | null {
    const cells = this.cells.slice();
    this.weightLastValue(cells, Math.max(endUs, cells[LAST_US]!));
    if (cells[SAMPLE_COUNT] === 0 || endUs < this.fromUs()) return null;
    if (cells[HAS_VALUE] === 0) this.addValue(cells);
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

  private fromUs(): number {
    return this.during?.fromUs ?? -Infinity;
  }

  private toUs(): number {
    return this.during?.toUs ?? Infinity;
  }

  /** Weights the value of the last sample by the time for which it was held inside the span. */
  private weightLastValue(cells: Float64Array, tUs: number): void {
    if (cells[SAMPLE_COUNT] === 0) return;
    const fromUs = Math.max(cells[LAST_US]!, this.fromUs());
    const heldUs = Math.min(tUs, this.toUs()) - fromUs;
    if (heldUs <= 0) return;
    // A value that was already held when the span began is also one of the values inside the span.
    if (cells[LAST_US]! < this.fromUs()) this.addValue(cells);
    cells[SUM]! += cells[LAST]! * heldUs;
    cells[SQUARES]! += cells[LAST]! * cells[LAST]! * heldUs;
    cells[WEIGHT_US]! += heldUs;
  }

  private addValue(cells: Float64Array): void {
    const value = cells[LAST]!;
    const isFirst = cells[HAS_VALUE] === 0;
    cells[MINIMUM] = isFirst ? value : Math.min(cells[MINIMUM]!, value);
    cells[MAXIMUM] = isFirst ? value : Math.max(cells[MAXIMUM]!, value);
    cells[HAS_VALUE] = 1;
  }
}
