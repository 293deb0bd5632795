/**
 * Compiles the syntax tree into the form that monitors evaluate: names are looked up, units are checked and converted,
 * and negations are pushed down to the predicates.
 *
 * Units are checked by dimension. If a number has no unit and the name of the quantity beside it ends with a unit, the
 * number takes that unit. Otherwise it is a plain number. The file is long because types, units and programs all follow
 * the cases of the syntax tree.
 */
import type { ErrorFactory } from "../errors/index.ts";
import { didYouMean } from "../params/index.ts";
import {
  coherentUnit,
  type Dimension,
  DIMENSIONLESS,
  dimensionScale,
  dimensionText,
  isSameDimension,
  multiplyDimensions,
  type NamedValue,
  type Unit,
  unitOf,
} from "../quantities/index.ts";
import { requirementErrors } from "./errors.ts";
import { fault } from "./fault.ts";
import type { InstantFormula, SampleBlock } from "./sample-block.ts";
import type { SampleSource } from "./sample-source.ts";
import { OP, type ValueProgram } from "./value-program.ts";
import { eventText, formulaText, valueText } from "./text.ts";
import type { EventTree, FormulaTree, Place, ValueTree } from "./tree.ts";

/** A formula in negation normal form: negations appear only as signs of predicates and of `until`. */
export type Formula =
  | { readonly is: "predicate"; readonly index: number; readonly sign: 1 | -1 }
  | { readonly is: "pair"; readonly takesLeast: boolean; readonly left: Formula; readonly right: Formula }
  /** The least or the greatest margin over [t + from, t + to]; an infinite end means the end of the flight. */
  | {
      readonly is: "window";
      readonly takesLeast: boolean;
      readonly fromUs: number;
      readonly toUs: number;
      readonly of: Formula;
    }
  | {
      readonly is: "until";
      readonly sign: 1 | -1;
      readonly left: Formula;
      readonly right: Formula;
      readonly withinUs: number;
    };

/** Operators that depend on more than one instant. */
const TEMPORAL: readonly FormulaTree["formula"][] = ["within", "for", "once", "always", "eventually", "until"];

export function isTemporal(tree: FormulaTree): boolean {
  if (TEMPORAL.includes(tree.formula)) return true;
  if ("left" in tree) return tree.formula !== "compare" && (isTemporal(tree.left) || isTemporal(tree.right));
  return tree.formula === "not" && isTemporal(tree.of);
}

/** The properties of a value that are known before it is evaluated. */
interface ValueType {
  readonly dimension: Dimension;
  /** True for a number without a unit, and for an expression of such numbers. */
  readonly isBare: boolean;
  /** The unit with which its name ends; bare numbers next to it take this unit. */
  readonly nameUnit: Unit | undefined;
  /** True for a flag, code, count or index, which has no margin. */
  readonly isFact: boolean;
  readonly size: number;
  readonly scale: number | undefined;
}

const BARE: ValueType = {
  dimension: DIMENSIONLESS,
  isBare: true,
  nameUnit: undefined,
  isFact: false,
  size: 1,
  scale: undefined,
};

/** Compiles the parts of one text against a flight or a log. */
export class Compiler {
  private readonly text: string;
  private readonly source: SampleSource;
  private readonly block: SampleBlock;
  private readonly types = new Map<ValueTree, ValueType>();
  /** The units that were assigned to bare numbers. */
  private readonly assignedUnits = new Map<ValueTree, Unit>();
  /**
   * Events at which the text takes a value, e.g. `altitude at takeoff`. The value is unknown until the event has
   * happened.
   */
  readonly frozenBy = new Set<number>();
  private isInPast = false;

  constructor(text: string, source: SampleSource, block: SampleBlock) {
    this.text = text;
    this.source = source;
    this.block = block;
  }

  formula(tree: FormulaTree, sign: 1 | -1 = 1): Formula {
    switch (tree.formula) {
      case "not":
        return this.formula(tree.of, flipped(sign));
      case "and":
      case "or": {
        const takesLeast = (tree.formula === "and") === (sign === 1);
        return { is: "pair", takesLeast, left: this.formula(tree.left, sign), right: this.formula(tree.right, sign) };
      }
      case "implies":
        return {
          is: "pair",
          takesLeast: sign === -1,
          left: this.formula(tree.left, flipped(sign)),
          right: this.formula(tree.right, sign),
        };
      case "within":
      case "for": {
        const { fromUs, toUs, of } = tree;
        return {
          is: "window",
          takesLeast: (tree.formula === "for") === (sign === 1),
          fromUs,
          toUs,
          of: this.formula(of, sign),
        };
      }
      case "always":
      case "eventually": {
        const takesLeast = (tree.formula === "always") === (sign === 1);
        return { is: "window", takesLeast, fromUs: 0, toUs: Infinity, of: this.formula(tree.of, sign) };
      }
      case "once": {
        const wasInPast = this.isInPast;
        this.isInPast = true;
        const of = this.formula(tree.of, sign);
        this.isInPast = wasInPast;
        return { is: "window", takesLeast: sign === -1, fromUs: -tree.lastUs, toUs: 0, of };
      }
      case "until":
        return {
          is: "until",
          sign,
          left: this.formula(tree.left),
          right: this.formula(tree.right),
          withinUs: tree.withinUs,
        };
      default:
        return { is: "predicate", index: this.addPredicate(tree), sign };
    }
  }

  /** Compiles a formula that is decided at one instant. */
  instant(tree: FormulaTree, where: string): InstantFormula {
    if (isTemporal(tree)) {
      throw this.fault(requirementErrors.fromWhen, tree.place, {
        what: `${where} takes a formula about one instant, but ${this.quote(tree.place)} depends on several`,
        fix: "leave out until, within, for, once, always and eventually",
      });
    }
    return this.formula(tree) as InstantFormula;
  }

  event(tree: EventTree): number {
    const key = eventText(tree);
    if (tree.event === "edge") return this.block.edgeOf(key, this.instant(tree.of, "an event"));
    const missing = this.source.missingEvent?.(tree);
    if (missing !== undefined) throw this.fault(requirementErrors.notHere, tree.place, missing);
    const event = this.block.eventOf(key, tree, this.source);
    if (event !== undefined) return event;
    const known = this.source.eventNames();
    const name = tree.event === "named" ? tree.name : key;
    throw this.fault(requirementErrors.unknownEvent, tree.place, {
      what: `there is no event "${name}"`,
      fix: didYouMean(
        name,
        known,
        known.length === 0 ? "remove it: the flight has no events" : `use one of: ${known.join(", ")}`,
      ),
    });
  }

  /** Returns the program of a value that is one number, and the coherent unit of its result. */
  value(tree: ValueTree): { readonly program: ValueProgram; readonly unit: string } {
    const { size, dimension, isFact } = this.typeOf(tree);
    this.rejectVector(tree, size);
    return { program: this.program(tree), unit: isFact ? "" : unitText(dimension) };
  }

  private addPredicate(tree: Exclude<FormulaTree, { formula: "not" | "and" | "or" }>): number {
    switch (tree.formula) {
      case "compare":
        return this.addComparison(tree);
      case "is":
        return this.addIs(tree);
      case "event":
        return this.addEventPredicate(tree.of);
      default:
        return this.addBare(tree as Extract<FormulaTree, { formula: "bare" }>);
    }
  }

  private addComparison(tree: Extract<FormulaTree, { formula: "compare" }>): number {
    const { left, right, comparator, place } = tree;
    const [a, b] = [this.typeOf(left), this.typeOf(right)];
    this.rejectVector(left, a.size);
    this.rejectVector(right, b.size);
    const dimension = this.commonDimension(left, right, place, "compares", "with");
    const isFact = a.isFact || b.isFact;
    if ((comparator === "==" || comparator === "!=") && !isFact) {
      throw this.fault(requirementErrors.exactlyEqual, place, {
        what: "a measured quantity cannot be compared for equality",
        fix: `write abs(${valueText(left, 0)} - ${valueText(right, 1)}) < …`,
      });
    }
    const text = formulaText(tree, 0);
    return this.block.predicateOf(
      text,
      { kind: "compare", comparator, left: this.program(left), right: this.program(right) },
      {
        text,
        isFact,
        unit: isFact ? "" : unitText(dimension),
        scale: a.scale ?? b.scale ?? dimensionScale(dimension),
        isEvent: false,
      },
    );
  }

  private addIs(tree: Extract<FormulaTree, { formula: "is" }>): number {
    const { of, isNot, value, place } = tree;
    const named = of.value === "named" ? this.named(of) : undefined;
    if (named?.values === undefined) {
      throw this.fault(requirementErrors.unknownValue, of.place, {
        what: `${this.quote(of.place)} has no named values`,
        fix: "compare it with a number",
      });
    }
    if (!Object.hasOwn(named.values, value)) {
      const known = Object.keys(named.values);
      throw this.fault(requirementErrors.unknownValue, place, {
        what: `${named.name} is never "${value}"`,
        fix: didYouMean(value, known, `use one of: ${known.join(", ")}`),
      });
    }
    this.rejectVector(of, this.typeOf(of).size);
    const code = named.values[value]!;
    const text = formulaText(tree, 0);
    return this.block.predicateOf(
      text,
      { kind: "compare", comparator: isNot ? "!=" : "==", left: this.program(of), right: constant(code) },
      fact(text),
    );
  }

  private addBare(tree: Extract<FormulaTree, { formula: "bare" }>): number {
    const { of, place } = tree;
    if (of.value === "named" && of.component === undefined && of.at === undefined) {
      if (this.source.named(of.name) === undefined)
        return this.addEventPredicate({ event: "named", name: of.name, place });
      const named = this.named(of);
      if (named.unitName === "flag") {
        const size = this.typeOf(of).size;
        this.rejectVector(of, size);
        return this.addFlag(tree);
      }
    }
    if (of.value === "named" && this.named(of).unitName === "flag") return this.addFlag(tree);
    const { dimension, isFact } = this.typeOf(of);
    const what = isFact ? "a code" : dimensionText(dimension);
    throw this.fault(requirementErrors.notAStatement, place, {
      what: `${this.quote(place)} is ${what}, not a statement`,
      fix: `compare it, e.g. ${valueText(of, 0)} < 5${isFact || isSameDimension(dimension, DIMENSIONLESS) ? "" : ` ${coherentUnit(dimension)}`}`,
    });
  }

  private addFlag(tree: Extract<FormulaTree, { formula: "bare" }>): number {
    const text = formulaText(tree, 0);
    const left = this.program(tree.of);
    return this.block.predicateOf(text, { kind: "compare", comparator: "!=", left, right: constant(0) }, fact(text));
  }

  private addEventPredicate(tree: EventTree): number {
    if (tree.event === "named" && !this.isEvent(tree)) {
      const near = didYouMean(tree.name, this.source.names(), "");
      if (near !== "") {
        throw this.fault(requirementErrors.unknownQuantity, tree.place, {
          what: `neither a quantity nor an event is called "${tree.name}"`,
          fix: near,
        });
      }
    }
    const event = this.event(tree);
    const text = eventText(tree);
    return this.block.predicateOf(`event ${text}`, { kind: "event", event }, { ...fact(text), isEvent: true });
  }

  private isEvent(tree: EventTree): boolean {
    return tree.event !== "edge" && this.source.event(tree) !== undefined;
  }

  /** Returns the meaning of a name. Throws an error that suggests the nearest name if there is none. */
  private named(tree: Extract<ValueTree, { value: "named" }>): NamedValue {
    const { name, place } = tree;
    const value = this.source.named(name);
    if (value === undefined) {
      const hyphen = name.includes("-") ? 'put spaces around "-"' : "`escapement list quantities` shows the names";
      throw this.fault(requirementErrors.unknownQuantity, place, {
        what: `no quantity is called "${name}"`,
        fix: didYouMean(name, this.source.names(), hyphen),
      });
    }
    const missing = this.source.missing(value);
    if (missing !== undefined) throw this.fault(requirementErrors.notHere, place, missing);
    return value;
  }

  private typeOf(tree: ValueTree): ValueType {
    const known = this.types.get(tree);
    if (known !== undefined) return known;
    const type = this.inferType(tree);
    this.types.set(tree, type);
    return type;
  }

  private inferType(tree: ValueTree): ValueType {
    switch (tree.value) {
      case "number":
        return tree.unit === undefined ? BARE : { ...BARE, isBare: false, dimension: unitOf(tree.unit)!.dimension };
      case "named":
        return this.namedType(tree);
      case "negate":
        return this.typeOf(tree.of);
      case "add":
      case "subtract": {
        const dimension = this.commonDimension(
          tree.left,
          tree.right,
          tree.place,
          tree.value === "add" ? "adds" : "subtracts",
          tree.value === "add" ? "to" : "from",
        );
        return joinTypes(this.typeOf(tree.left), this.typeOf(tree.right), dimension);
      }
      case "multiply":
      case "divide":
        return this.productType(tree);
      case "call":
        return this.callType(tree);
    }
  }

  private namedType(tree: Extract<ValueTree, { value: "named" }>): ValueType {
    const value = this.named(tree);
    const size = tree.component === undefined ? (value.size ?? 1) : 1;
    if (tree.component !== undefined) this.componentOf(tree, value);
    if (tree.at !== undefined && this.isInPast) {
      throw this.fault(requirementErrors.fromWhen, tree.place, {
        what: `a value at an event may be unknown in the past window of "once"`,
        fix: "leave out once, or compare the present value",
      });
    }
    return {
      dimension: value.unit?.dimension ?? DIMENSIONLESS,
      isBare: false,
      nameUnit: value.nameHasUnit ? value.unit : undefined,
      isFact: value.unit === undefined,
      size,
      scale: value.unit === undefined ? undefined : value.scale,
    };
  }

  private productType(tree: Extract<ValueTree, { left: ValueTree }>): ValueType {
    const [a, b] = [this.typeOf(tree.left), this.typeOf(tree.right)];
    if (a.size > 1 && b.size > 1) {
      throw this.fault(requirementErrors.units, tree.place, {
        what: "two vectors are multiplied",
        fix: "multiply components, e.g. velNed.n * velNed.n",
      });
    }
    this.rejectVector(tree.right, tree.value === "divide" ? b.size : 1);
    return {
      dimension: multiplyDimensions(a.dimension, b.dimension, tree.value === "multiply" ? 1 : -1),
      isBare: a.isBare && b.isBare,
      nameUnit: undefined,
      isFact: a.isFact && (b.isFact || b.isBare),
      size: Math.max(a.size, b.size),
      scale: undefined,
    };
  }

  private callType(tree: Extract<ValueTree, { value: "call" }>): ValueType {
    const { name, of, place } = tree;
    const [first, ...rest] = of;
    if (name === "abs" && rest.length > 0) {
      throw this.fault(requirementErrors.leftOver, place, { what: "abs takes one value", fix: "use max, min or norm" });
    }
    let type = this.typeOf(first!);
    for (const next of rest) {
      const dimension = this.commonDimension(first!, next, place, "takes", "and");
      type = joinTypes(type, this.typeOf(next), dimension);
    }
    switch (name) {
      case "norm":
      case "hypot":
        return { ...type, size: 1 };
      case "abs":
      case "min":
      case "max":
        for (const argument of of) this.rejectVector(argument, this.typeOf(argument).size);
        return type;
    }
  }

  /** Returns the common dimension of two values. Bare numbers take the unit with which the other value's name ends. */
  private commonDimension(
    left: ValueTree,
    right: ValueTree,
    place: Place,
    verb: string,
    preposition: string,
  ): Dimension {
    const [a, b] = [this.typeOf(left), this.typeOf(right)];
    if (a.size !== b.size) {
      throw this.fault(requirementErrors.units, place, {
        what: `${this.quote(place)} ${verb} ${sizeText(a.size)} ${preposition} ${sizeText(b.size)}`,
        fix: "use one component, e.g. posNed.n, or norm(…)",
      });
    }
    if (a.isBare !== b.isBare) {
      const [bare, other, otherType] = a.isBare ? [left, right, b] : [right, left, a];
      if (otherType.nameUnit !== undefined) {
        this.assignUnit(bare, otherType.nameUnit);
        return otherType.dimension;
      }
      if (isSameDimension(otherType.dimension, DIMENSIONLESS)) return DIMENSIONLESS;
      const unit = coherentUnit(otherType.dimension);
      throw this.fault(requirementErrors.units, bare.place, {
        what: `${this.quote(place)} ${verb} ${this.kindText(other)} ${preposition} a bare number`,
        fix: `write the unit, e.g. ${valueText(bare, 2)} ${unit}`,
      });
    }
    if (isSameDimension(a.dimension, b.dimension)) return a.dimension;
    throw this.fault(requirementErrors.units, place, {
      what: `${this.quote(place)} ${verb} ${this.kindText(left)} ${preposition} ${this.kindText(right)}`,
      fix: `use ${this.kindText(left)} on both sides`,
    });
  }

  private kindText(tree: ValueTree): string {
    const { isFact, dimension } = this.typeOf(tree);
    return isFact ? "a flag or code" : dimensionText(dimension);
  }

  /** Assigns a unit to bare numbers. Factors of products stay plain numbers. */
  private assignUnit(tree: ValueTree, unit: Unit): void {
    this.assignedUnits.set(tree, unit);
    if (tree.value === "negate") this.assignUnit(tree.of, unit);
    if (tree.value === "add" || tree.value === "subtract") {
      this.assignUnit(tree.left, unit);
      this.assignUnit(tree.right, unit);
    }
    if (tree.value === "call") for (const argument of tree.of) this.assignUnit(argument, unit);
  }

  private rejectVector(tree: ValueTree, size: number): void {
    if (size === 1) return;
    throw this.fault(requirementErrors.units, tree.place, {
      what: `${this.quote(tree.place)} is a vector of ${size}`,
      fix: "use one component, or norm(…)",
    });
  }

  private componentOf({ component, place, name }: Extract<ValueTree, { value: "named" }>, value: NamedValue): number {
    if (component === undefined) return 0;
    const { components, size } = value;
    if (typeof component === "number") {
      if (component >= 1 && (size === undefined || component <= size)) return component - 1;
      throw this.fault(requirementErrors.notHere, place, {
        what: `there is no ${name}[${component}]: ${countText(value)}`,
        fix: componentFix(value),
      });
    }
    const index = components?.indexOf(component) ?? -1;
    if (index >= 0) return index;
    throw this.fault(requirementErrors.unknownQuantity, place, {
      what: `${name} has no component "${component}"`,
      fix: components === undefined ? "number components from 1, e.g. [1]" : `use one of: ${components.join(", ")}`,
    });
  }

  private program(tree: ValueTree): ValueProgram {
    const ops: number[] = [];
    const args: number[] = [];
    this.emit(tree, 0, (op, arg = 0) => {
      ops.push(op);
      args.push(arg);
    });
    return { ops: Uint8Array.from(ops), args: Float64Array.from(args) };
  }

  /** Emits the operations for one component of a value. */
  private emit(tree: ValueTree, component: number, push: (op: number, arg?: number) => void): void {
    const emit = (part: ValueTree) => this.emit(part, this.typeOf(part).size === 1 ? 0 : component, push);
    switch (tree.value) {
      case "number": {
        const unit = tree.unit === undefined ? this.assignedUnits.get(tree) : unitOf(tree.unit);
        push(OP.number, unit === undefined ? tree.number : coherent(tree.number, unit));
        return;
      }
      case "named":
        this.emitNamed(tree, component, push);
        return;
      case "negate":
        emit(tree.of);
        push(OP.negate);
        return;
      case "call":
        this.emitCall(tree, push);
        return;
      default:
        emit(tree.left);
        emit(tree.right);
        push(OP[tree.value]);
    }
  }

  private emitNamed(
    tree: Extract<ValueTree, { value: "named" }>,
    component: number,
    push: (op: number, arg?: number) => void,
  ): void {
    const value = this.named(tree);
    const index = tree.component === undefined ? component : this.componentOf(tree, value);
    let cell = this.block.cellOf(value, index, this.source);
    if (tree.at !== undefined) {
      const event = this.event(tree.at);
      this.frozenBy.add(event);
      cell = this.block.frozenCell(cell, event);
    }
    push(OP.cell, cell);
    const { factor = 1, offset = 0 } = value.unit ?? {};
    if (factor !== 1) {
      push(OP.number, factor);
      push(OP.multiply);
    }
    if (offset !== 0) {
      push(OP.number, offset);
      push(OP.add);
    }
  }

  private emitCall(
    { name, of }: Extract<ValueTree, { value: "call" }>,
    push: (op: number, arg?: number) => void,
  ): void {
    const parts = of.flatMap((argument) =>
      Array.from({ length: this.typeOf(argument).size }, (_, component) => ({ argument, component })),
    );
    parts.forEach(({ argument, component }, i) => {
      this.emit(argument, component, push);
      if (i > 0 && (name === "min" || name === "max")) push(OP[name]);
    });
    switch (name) {
      case "min":
      case "max":
        break;
      case "abs":
        push(OP.abs);
        break;
      case "norm":
      case "hypot":
        push(OP.norm, parts.length);
        break;
      default:
        name satisfies never;
    }
  }

  private quote([start, end]: Place): string {
    return `"${this.text.slice(start, Math.min(end, start + 60))}"`;
  }

  private fault(make: ErrorFactory, place: Place, details: { what: string; fix: string }): Error {
    return fault(make, this.text, place, details);
  }
}

function joinTypes(a: ValueType, b: ValueType, dimension: Dimension): ValueType {
  return {
    dimension,
    isBare: a.isBare && b.isBare,
    nameUnit: a.nameUnit ?? b.nameUnit,
    isFact: a.isFact || b.isFact,
    size: a.size,
    scale: a.scale ?? b.scale,
  };
}

function flipped(sign: 1 | -1): 1 | -1 {
  return sign === 1 ? -1 : 1;
}

function coherent(value: number, { factor, offset }: Unit): number {
  return factor === 1 && offset === 0 ? value : value * factor + offset;
}

function constant(value: number): ValueProgram {
  return { ops: Uint8Array.of(OP.number), args: Float64Array.of(value) };
}

function fact(text: string) {
  return { text, isFact: true, unit: "", scale: 1, isEvent: false };
}

/** Returns the unit as text; empty for plain numbers. */
function unitText(dimension: Dimension): string {
  return isSameDimension(dimension, DIMENSIONLESS) ? "" : coherentUnit(dimension);
}

function sizeText(size: number): string {
  return size === 1 ? "a number" : `a vector of ${size}`;
}

/** Says how many components a value has, as far as the vehicle is known. */
function countText({ name, size, sizedBy }: NamedValue): string {
  if (size === undefined) return `${name} is numbered from 1`;
  if (sizedBy !== undefined) return `the number of ${sizedBy} of this vehicle is ${size}`;
  return `${name} has ${size === 1 ? "one value" : `${size} values`}`;
}

function componentFix({ name, size }: NamedValue): string {
  if (size === undefined) return `write e.g. ${name}[1]`;
  if (size < 1) return "compare something else";
  return size === 1 ? `write ${name} or ${name}[1]` : `number components from 1 to ${size}`;
}
