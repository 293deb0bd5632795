/**
 * The monitor of one requirement: a tree of nodes that process blocks of samples, and the instants to which the
 * requirement applies.
 *
 * After the end of the flight every value is unknown. For the lower bound of the margin, unknown values count as −∞;
 * for the upper bound, as +∞. The monitor's memory is saved before these values are used and restored afterwards, so a
 * verdict can be read at any time.
 */
import { PartWithMemory, Snapshot } from "../snapshot/index.ts";
import { type Applies, compileRequirement } from "./applies.ts";
import { Compiler, type Formula } from "./compile.ts";
import type { Predicate } from "./predicate.ts";
import type { InstantFormula, SampleBlock } from "./sample-block.ts";
import type { SampleSource } from "./sample-source.ts";
import { ComparisonLeaf, EventLeaf } from "./leaves.ts";
import { type EndOfFlight, type MonitorNode, Pair, Window } from "./nodes.ts";
import { EachReducer, SpanReducer } from "./reducers.ts";
import { everything, FIRST, LOWER, UPPER } from "./relevance.ts";
import type { Requirement } from "./requirement.ts";
import { FIELDS, INSTANT, LEFT, MARGIN, PREDICATE, type Segments, START, VALUE } from "./segments.ts";
import { Until } from "./until.ts";
import { isSatisfied } from "./comparison.ts";
import { type Binding, type Verdict, verdictWord } from "./verdict.ts";

/** How far before and after an instant a formula needs values. */
interface Reach {
  readonly beforeUs: number;
  readonly afterUs: number;
}

interface NodeOptions {
  readonly isScaled: boolean;
  /** The samples and margins that may change the result; everything by default. */
  readonly relevant?: Float64Array;
  readonly polarity?: 1 | -1;
}

/** Adds the nodes of a formula, inputs first, and returns the output of the last one. */
export function addNodes(
  formula: Formula,
  block: SampleBlock,
  nodes: MonitorNode[],
  { isScaled, relevant = everything(), polarity = 1 }: NodeOptions,
): Segments {
  const inner = (part: Formula, sign: 1 | -1 = 1) =>
    addNodes(part, block, nodes, { isScaled, relevant, polarity: (polarity * sign) as 1 | -1 });
  const add = (node: MonitorNode): Segments => {
    nodes.push(node);
    return node.out;
  };
  switch (formula.is) {
    case "predicate": {
      const { sign } = formula;
      const predicate = block.predicates[formula.index]!;
      return predicate.info.isEvent
        ? add(new EventLeaf(block, predicate, { sign, polarity }))
        : add(new ComparisonLeaf(block, predicate, { sign, polarity, isScaled, relevant }));
    }
    case "pair":
      return add(new Pair(formula.takesLeast, inner(formula.left), inner(formula.right)));
    case "window":
      return add(new Window(formula.takesLeast, polarity, [formula.fromUs, formula.toUs], inner(formula.of)));
    case "until": {
      const { sign, left, right, withinUs } = formula;
      return add(new Until(sign, polarity, inner(left, sign), inner(right, sign), withinUs));
    }
  }
}

function predicatesOf(formula: Formula): number[] {
  switch (formula.is) {
    case "predicate":
      return [formula.index];
    case "window":
      return predicatesOf(formula.of);
    default:
      return [...predicatesOf(formula.left), ...predicatesOf(formula.right)];
  }
}

function reachOf(formula: Formula, predicates: readonly Predicate[]): Reach {
  // An event ends one microsecond after its sample.
  if (formula.is === "predicate") return { beforeUs: 0, afterUs: predicates[formula.index]!.info.isEvent ? 1 : 0 };
  if (formula.is === "window") {
    const { beforeUs, afterUs } = reachOf(formula.of, predicates);
    return { beforeUs: beforeUs + Math.max(0, -formula.fromUs), afterUs: afterUs + Math.max(0, formula.toUs) };
  }
  const [left, right] = [reachOf(formula.left, predicates), reachOf(formula.right, predicates)];
  const afterUs = Math.max(left.afterUs, right.afterUs) + (formula.is === "until" ? formula.withinUs : 0);
  return { beforeUs: Math.max(left.beforeUs, right.beforeUs), afterUs };
}

export class RequirementMonitor extends PartWithMemory {
  readonly requirement: Requirement;
  private readonly block: SampleBlock;
  private readonly nodes: MonitorNode[] = [];
  private readonly reducer: SpanReducer | EachReducer;
  private readonly applies: Applies;
  private readonly takesLeast: boolean;
  /** The samples and margins of the block that may change the result. */
  private readonly relevant = everything();
  /** Scratch: start of the window of the latest pending event. */
  private readonly sinceUs = new Float64Array(1);
  /** First and last instant to which the requirement applies, as far as they are known. */
  private readonly span = new Float64Array(2);
  /** The last instant to which the requirement applies; infinite if it is not known yet. */
  private readonly lastInstantUs = Float64Array.of(Infinity);

  private readonly reach: Reach;
  /** Unit of the margin; undefined if the predicates have different units. */
  readonly unit: string | undefined;
  /** Whether a predicate compares a measured quantity, so that the margin is more than a yes or no. */
  readonly isMeasured: boolean;
  private readonly isScaled: boolean;
  /**
   * Events at which the text takes a value, e.g. `altitude at takeoff`. The value is unknown until the event has
   * happened.
   */
  private readonly frozenBy: readonly number[];
  /** Whether the formula of `while` has held. */
  private readonly hasHeld = new Float64Array(1);
  protected readonly memory;

  constructor(requirement: Requirement, block: SampleBlock, source: SampleSource) {
    super();
    this.requirement = requirement;
    this.block = block;
    const compiler = new Compiler(requirement.written, source, block);
    const { formula, takesLeast, applies } = compileRequirement(requirement.tree, compiler, requirement.written);
    this.applies = applies;
    this.takesLeast = takesLeast;
    if (applies.when === "span") this.lastInstantUs[0] = applies.toUs;
    this.frozenBy = [...compiler.frozenBy];
    const measured = predicatesOf(formula)
      .map((index) => block.predicates[index]!.info)
      .filter(({ isFact }) => !isFact);
    const units = new Set(measured.map(({ unit }) => unit));
    this.isMeasured = measured.length > 0;
    this.isScaled = units.size > 1;
    this.unit = this.isScaled ? undefined : ([...units][0] ?? "");
    const root = addNodes(formula, block, this.nodes, { isScaled: this.isScaled, relevant: this.relevant });
    this.reducer = applies.when === "each" ? new EachReducer(true, root) : new SpanReducer(takesLeast, root);
    this.reach = reachOf(formula, block.predicates);
    this.memory = [this.hasHeld, this.nodes, this.reducer];
  }

  /** Processes the samples of the block. */
  step(): void {
    const { applies, nodes } = this;
    if (applies.when === "while") this.updateHasHeld(applies.of);
    if (applies.when === "each") this.addEventTimes(applies.event);
    else this.updateSpan(Infinity);
    if (this.isOver()) return;
    this.updateRelevant();
    for (let i = 0; i < nodes.length; i += 1) nodes[i]!.step();
    this.reducer.step(this.span);
  }

  private updateHasHeld(condition: InstantFormula): void {
    const { hasHeld, block } = this;
    for (let k = 0; k < block.count && hasHeld[0] === 0; k += 1) if (block.holds(condition, k)) hasHeld[0] = 1;
  }

  /** Adds the times at which the event happens in the block. */
  private addEventTimes(event: number): void {
    const { block } = this;
    if (!block.isFiredInBlock(event)) return;
    for (let k = 0; k < block.count; k += 1) {
      const tUs = block.timesUs[k]!;
      if (block.isFired(event, k) && tUs >= this.knownFromUs()) (this.reducer as EachReducer).add(tUs);
    }
  }

  /**
   * Whether the last instant to which the requirement applies is so long ago that the block cannot change its margin.
   */
  private isOver(): boolean {
    const { applies, block, lastInstantUs, reach, reducer } = this;
    return applies.when !== "each" && reducer.hasBegun && block.beforeUs[0]! > lastInstantUs[0]! + reach.afterUs;
  }

  /** Finds the samples and margins of the block that may change the result. */
  private updateRelevant(): void {
    const { relevant, reducer, takesLeast, reach, applies } = this;
    relevant[LOWER] = NaN;
    relevant[UPPER] = NaN;
    relevant[FIRST] = 0;
    if (reducer.hasInstant) relevant[takesLeast ? UPPER : LOWER] = reducer.best[VALUE]!;
    if (reach.beforeUs > 0) return;
    if (applies.when === "each") this.limitToPending(applies);
    // Of the samples before the first instant, only the last one is still held at that instant.
    else if (this.block.lastUs[0]! < this.span[0]!) relevant[FIRST] = this.block.count - 1;
  }

  /**
   * Limits the relevant margins while windows are open. If the window of the latest event has begun, every open window
   * contains the time since that beginning, so only margins better than the best one in this time matter. If no event
   * is pending, only the last sample matters.
   */
  private limitToPending({ event, fromUs }: Extract<Applies, { when: "each" }>): void {
    const { relevant, block, sinceUs } = this;
    const reducer = this.reducer as EachReducer;
    if (block.isFiredInBlock(event)) return;
    if (!reducer.isWaiting) {
      relevant[FIRST] = block.count - 1;
      return;
    }
    reducer.latestInto(sinceUs);
    sinceUs[0]! += fromUs;
    if (block.timesUs[0]! < sinceUs[0]!) return;
    (this.nodes[this.nodes.length - 1] as Window).limit(relevant, sinceUs);
  }

  private updateLastInstant(): void {
    const { applies, block, lastInstantUs } = this;
    if (applies.when !== "before") return;
    lastInstantUs[0] = -Infinity;
    block.raiseToFirst(lastInstantUs, applies.event);
  }

  /** Whether no later sample can change the verdict. The margin may still change, but not its sign. */
  get isDecided(): boolean {
    const { reducer, block, reach, takesLeast, lastInstantUs } = this;
    if (!this.isTested() || !reducer.hasInstant) return false;
    this.updateLastInstant();
    if (block.lastUs[0]! > lastInstantUs[0]! + reach.afterUs) return true;
    return isSatisfied(reducer.best[VALUE]!) !== takesLeast;
  }

  /** Returns the verdict as if the flight ended at the last sample. */
  verdict(longestSampleGapUs: number): Verdict {
    const { requirement, unit } = this;
    const { name, text, severity, mustOccur } = requirement;
    const head = { name, text, severity, mustOccur, unit, longestSampleGapUs };
    const low = this.isTested() ? this.marginBound(-Infinity) : undefined;
    const high = low === undefined ? undefined : this.marginBound(Infinity);
    if (low === undefined || high === undefined) {
      const none = { low: Infinity, high: Infinity, scaledLow: Infinity, scaledHigh: Infinity };
      return { ...head, verdict: "untested", ...none, binding: undefined };
    }
    const verdict = verdictWord(low[VALUE]!, high[VALUE]!);
    const deciding = verdict === "violated" || low[PREDICATE]! < 0 ? high : low;
    return {
      ...head,
      verdict,
      low: low[VALUE]!,
      high: high[VALUE]!,
      scaledLow: this.scaled(low),
      scaledHigh: this.scaled(high),
      binding: this.binding(deciding),
      ...this.window(deciding),
    };
  }

  private isTested(): boolean {
    const { applies, block, hasHeld } = this;
    if (this.frozenBy.some((event) => block.countOf(event) === 0)) return false;
    if (applies.when === "while") return hasHeld[0] === 1;
    if (applies.when === "after" || applies.when === "each") return block.countOf(applies.event) > 0;
    return true;
  }

  /** Returns the instant from which every value at an event is known. */
  private knownFromUs(): number {
    const knownUs = Float64Array.of(-Infinity);
    for (const event of this.frozenBy) this.block.raiseToFirst(knownUs, event);
    return knownUs[0]!;
  }

  private updateSpan(endUs: number): void {
    const { applies, block, span, frozenBy, lastInstantUs } = this;
    span[0] = applies.when === "span" || applies.when === "rest" ? applies.fromUs : -Infinity;
    if (applies.when === "after") block.raiseToFirst(span, applies.event);
    for (let i = 0; i < frozenBy.length; i += 1) block.raiseToFirst(span, frozenBy[i]!);
    this.updateLastInstant();
    span[1] = lastInstantUs[0]!;
    // The instant of the event itself is not before the event.
    if (applies.when === "before") span[1]! -= 1;
    if (applies.when !== "span") span[1] = Math.min(span[1]!, endUs);
  }

  /**
   * Returns one bound of the margin; undefined if the requirement applied to no instant. The monitor's memory is
   * restored afterwards.
   */
  private marginBound(unknown: number): Float64Array | undefined {
    const before = Snapshot.of(this);
    const end: EndOfFlight = { endUs: this.block.lastUs[0]!, unknown };
    for (const node of this.nodes) node.finish(end);
    if (this.applies.when !== "each") this.updateSpan(end.endUs);
    this.reducer.step(this.span);
    const best = this.reducer.hasInstant ? this.reducer.best.slice(0, FIELDS) : undefined;
    before.into(this);
    return best;
  }

  /** Returns the window that the deciding segment belongs to. */
  private window(deciding: Float64Array): Pick<Verdict, "windowUs"> {
    const { applies, block } = this;
    const endUs = block.lastUs[0]!;
    switch (applies.when) {
      case "span":
        return { windowUs: [applies.fromUs, applies.toUs] };
      case "rest":
        return applies.fromUs > 0 ? { windowUs: [applies.fromUs, endUs] } : {};
      case "after":
        return { windowUs: [block.firstUs(applies.event), endUs] };
      case "before":
        return { windowUs: [0, Math.min(block.firstUs(applies.event), endUs)] };
      case "each":
        return { windowUs: [deciding[START]! + applies.fromUs, deciding[START]! + applies.toUs] };
      case "while":
        return {};
    }
  }

  private scaled(segment: Float64Array): number {
    const predicate = this.block.predicates[segment[PREDICATE]!]?.info;
    return this.isScaled || predicate === undefined ? segment[VALUE]! : segment[VALUE]! / predicate.scale;
  }

  private binding(segment: Float64Array): Binding | undefined {
    const predicate = this.block.predicates[segment[PREDICATE]!]?.info;
    if (predicate === undefined) return undefined;
    const { text, unit } = predicate;
    return { predicate: text, tUs: segment[INSTANT]!, margin: segment[MARGIN]!, unit, value: segment[LEFT]! };
  }
}
