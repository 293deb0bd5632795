/**
 * Translates source to a program: reads the functions of a right-hand side and turns them into data for the compiler.
 *
 * It starts from one exported function and follows its calls through relative imports. Equations are written in the
 * small language of `compile/program.ts`; anything else is an error with file and line.
 * Equations may read arrays through views: objects whose fields are cells of flat arrays (`w.thrust[i]`,
 * `rotor.maxCurrent`). `Views` gives the positions of the fields; the program contains only arrays and indices. A
 * function that receives a view, or part of one, is translated once for each combination of argument kinds.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";
import type {
  Binary,
  Block,
  Expression,
  FunctionData,
  Program,
  Statement,
} from "../../packages/core/src/compile/program.ts";

type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, any>>;

const BINARY: ReadonlySet<string> = new Set(["+", "-", "*", "/", "<", "<=", ">", ">=", "===", "!=="]);
const MATH: Readonly<Record<string, number>> = { sqrt: 1, abs: 1, floor: 1, min: 2, max: 2 };

/** The file and name that an imported name refers to. */
interface Import {
  readonly file: string;
  readonly name: string;
}

/**
 * The layout of a view, in the shape of the view: each number is replaced by the index of its cell, and each array
 * starts with the index of its first cell. Index i in the second array of a view is written as −1 − i.
 */
type ViewMap = { readonly [field: string]: unknown };

/** How the fields of a view are stored. Views are found by the name of their type. */
type View =
  /** Fields at fixed positions of one array, which has the parameter's name, or of several arrays. */
  | { readonly map: ViewMap; readonly arrays?: readonly string[] }
  /** Blocks of the parameter's array; the offset of each block is element `offsets[block]` of array `of`. */
  | { readonly offsets: Readonly<Record<string, number>>; readonly of: string }
  /** Consecutive arrays inside array `within`; a size that is not a number is an element of array `of`. */
  | {
      readonly within: string;
      readonly from: number;
      readonly sizes: readonly (readonly [name: string, size: number | { readonly element: number }])[];
      readonly of: string;
    };
export type Views = Readonly<Record<string, View>>;

/** The value of a name or a path if it is not a number. */
type Ref =
  /**
   * A view or a part of it. For entry `index` of a table, `map` is the map of the first entry and `next` is the map of
   * the second.
   */
  | {
      readonly kind: "map";
      readonly map: unknown;
      readonly next?: unknown;
      readonly index?: Expression;
      readonly slots: readonly number[];
      readonly arrays: readonly string[];
    }
  | { readonly kind: "blocks"; readonly view: View & { readonly of: string }; readonly slot: number }
  /** An array that is part of another array. */
  | { readonly kind: "cells"; readonly slot: number; readonly offset: Expression }
  /** The name of a table's entry, known during translation. */
  | { readonly kind: "key"; readonly key: string };

/** The argument that a parameter receives from the caller; undefined for a plain slot. */
type Shape = Ref | undefined;

/** One source file: its constants, its functions, and the origins of its imports. */
class Module {
  readonly file: string;
  readonly text: string;
  readonly constants = new Map<string, Node>();
  readonly functions = new Map<string, Node>();
  readonly imports = new Map<string, Import>();

  constructor(file: string) {
    this.file = file;
    this.text = readFileSync(file, "utf8");
    const { program, errors } = parseSync(file, this.text);
    if (errors.length > 0) this.fail({ type: "", start: errors[0]!.labels[0]?.start ?? 0 }, errors[0]!.message);
    for (const statement of program.body as unknown as Node[]) this.add(statement);
  }

  private add(statement: Node): void {
    if (statement.type === "ImportDeclaration" && statement.importKind !== "type") {
      const file = join(dirname(this.file), statement.source.value);
      for (const { local, imported } of statement.specifiers) {
        if (imported !== undefined) this.imports.set(local.name, { file, name: imported.name });
      }
    } else if (statement.type === "ExportNamedDeclaration" && statement.declaration != null) {
      this.add(statement.declaration);
    } else if (statement.type === "FunctionDeclaration") {
      this.functions.set(statement.id.name, statement);
    } else if (statement.type === "VariableDeclaration" && statement.kind === "const") {
      for (const { id, init } of statement.declarations)
        if (id.type === "Identifier" && init !== null) this.constants.set(id.name, init);
    }
  }

  fail(node: Node, why: string): never {
    const line = this.text.slice(0, node.start).split("\n").length;
    throw new Error(`${this.file}:${line}: ${why}: ${this.text.slice(node.start, node.start + 60).split("\n")[0]}`);
  }
}

export class Translator {
  private readonly modules = new Map<string, Module>();
  private readonly functions: (FunctionData | undefined)[] = [];
  private readonly indices = new Map<string, number>();
  private readonly opaqueFunctions: ReadonlySet<string>;
  private readonly views: Views;
  /** Numbers that identify objects in the keys of `indices`. */
  private readonly ids = new Map<unknown, number>();

  /** Functions named in `opaqueFunctions` are called, not translated. */
  constructor(opaqueFunctions: readonly string[] = [], views: Views = {}) {
    this.opaqueFunctions = new Set(opaqueFunctions);
    this.views = views;
  }

  /** Translates a file's right-hand side and, if it is named, the function that computes outputs. */
  translate(file: string, entry: string, outputs?: string): Program {
    const translateEntry = (name: string) => this.entry(this.module(file), name);
    translateEntry(entry);
    const functions = this.functions as FunctionData[];
    return outputs === undefined ? { functions } : { functions, outputs: translateEntry(outputs) };
  }

  module(file: string): Module {
    const known = this.modules.get(file);
    if (known !== undefined) return known;
    const made = new Module(file);
    this.modules.set(file, made);
    return made;
  }

  /** Translates a function that has no caller. The types of its parameters determine which views they are. */
  private entry(module: Module, name: string): number {
    const { node, home } = this.find(module, name, { type: "", start: 0 });
    const shapes = node.params.map((param: Node): Shape => {
      if (param.type !== "Identifier") return home.fail(param, "not a plain parameter");
      const type = param.typeAnnotation?.typeAnnotation.typeName?.name as string | undefined;
      const view = type === undefined ? undefined : this.views[type];
      if (view === undefined) return undefined;
      if ("map" in view) return { kind: "map", map: view.map, slots: [], arrays: view.arrays ?? [param.name] };
      return { kind: "blocks", view, slot: -1 };
    });
    return this.instance(home, name, node, shapes);
  }

  /** Finds a function by name, in this file or in the file that it is imported from. */
  find(module: Module, name: string, from: Node): { node: Node; home: Module } {
    const node = module.functions.get(name);
    if (node !== undefined) return { node, home: module };
    const imported = module.imports.get(name);
    const other = imported && this.module(imported.file);
    if (!other?.functions.has(imported!.name)) return module.fail(from, `"${name}" is not a function of these modules`);
    return this.find(other, imported!.name, from);
  }

  /** Returns the program index of a function for one combination of argument kinds. Translates it at the first call. */
  instance(module: Module, name: string, node: Node, shapes: readonly Shape[]): number {
    const key = `${module.file} ${name} ${shapes.map((shape) => this.shapeKey(shape)).join()}`;
    const known = this.indices.get(key);
    if (known !== undefined) return known;
    const index = this.functions.length;
    this.indices.set(key, index);
    this.functions.push(undefined);
    const translator = new FunctionTranslator(this, module, name);
    const params = translator.bind(node.params, shapes);
    this.functions[index] = this.opaqueFunctions.has(name)
      ? { name, params, slots: params.length }
      : translator.translate(params, node.body.body);
    return index;
  }

  private shapeKey(shape: Shape): string {
    if (shape === undefined) return "";
    if (shape.kind === "map") return `map ${this.id(shape.map)} ${shape.index === undefined}`;
    return shape.kind === "blocks" ? `blocks ${this.id(shape.view)}` : shape.kind;
  }

  private id(object: unknown): number {
    if (!this.ids.has(object)) this.ids.set(object, this.ids.size);
    return this.ids.get(object)!;
  }

  /**
   * Returns the entries of a constant table of functions. If the constant is `Object.keys(table)`, returns the entries
   * of that table.
   */
  table(module: Module, name: string): readonly (readonly [name: string, value: Node])[] | undefined {
    const init = module.constants.get(name);
    const node = init === undefined ? undefined : plain(init);
    if (
      node?.type === "CallExpression" &&
      node.callee.object?.name === "Object" &&
      node.callee.property.name === "keys"
    )
      return this.table(module, node.arguments[0].name);
    if (node?.type !== "ObjectExpression") return undefined;
    return node.properties.map((property: Node) => [property.key.name, property.value] as const);
  }

  /** Returns the value of a module's constant, or undefined if the module has no constant of that name. */
  constant(module: Module, name: string): number | undefined {
    const init = module.constants.get(name);
    if (init === undefined) {
      const from = module.imports.get(name);
      return from === undefined ? undefined : this.constant(this.module(from.file), from.name);
    }
    return this.constantValue(module, init);
  }

  private constantValue(module: Module, given: Node): number {
    const node = plain(given);
    if (node.type === "Literal" && typeof node.value === "number") return node.value;
    if (node.type === "UnaryExpression" && node.operator === "-") return -this.constantValue(module, node.argument);
    if (node.type === "BinaryExpression") {
      const [a, b] = [this.constantValue(module, node.left), this.constantValue(module, node.right)];
      if (node.operator === "+") return a + b;
      if (node.operator === "-") return a - b;
      if (node.operator === "*") return a * b;
      if (node.operator === "/") return a / b;
    }
    if (node.type === "Identifier") {
      const value = this.constant(module, node.name);
      if (value !== undefined) return value;
    }
    return module.fail(node, "not a constant number");
  }
}

/** Translates one function. Every declaration gets its own slot, so the program needs no block scopes. */
class FunctionTranslator {
  private readonly translator: Translator;
  private readonly module: Module;
  private readonly name: string;
  private readonly scopes: Map<string, number | Ref>[] = [new Map()];
  /** Slots of the arrays that hold views. */
  private readonly arrays = new Map<string, number>();
  private readonly defaults: Statement[] = [];
  private slots = 0;

  constructor(translator: Translator, module: Module, name: string) {
    this.translator = translator;
    this.module = module;
    this.name = name;
  }

  /** Assigns slots to the parameters and returns their names. A view is replaced by its arrays. */
  bind(params: readonly Node[], shapes: readonly Shape[]): string[] {
    const names: string[] = [];
    const take = (name: string): number => {
      names.push(name);
      this.slots += 1;
      return this.slots - 1;
    };
    const defaulted: Node[] = [];
    const innerViews: [string, View & { readonly of: string }][] = [];
    params.forEach((param, i) => {
      const shape = shapes[i];
      const target = param.type === "AssignmentPattern" && shapes.length > 0 ? param.left : param;
      if (target.type !== "Identifier") return void this.module.fail(param, "not a plain parameter");
      const name = target.name as string;
      if (param.type === "AssignmentPattern" && i >= shapes.length) return void defaulted.push(param);
      if (shape === undefined) return void this.scopes[0]!.set(name, take(name));
      if (shape.kind === "cells")
        return void this.scopes[0]!.set(name, { kind: "cells", slot: take(name), offset: ["slot", take(`${name}At`)] });
      if (shape.kind === "blocks") {
        if ("within" in shape.view) return void innerViews.push([name, shape.view]);
        return void this.scopes[0]!.set(name, { ...shape, slot: take(name) });
      }
      if (shape.kind === "key") return void this.module.fail(param, "a key of a table cannot be an argument");
      const slots = shape.arrays.map(take);
      shape.arrays.forEach((array, k) => this.arrays.set(array, slots[k]!));
      const { index, ...rest } = { ...shape, slots };
      this.scopes[0]!.set(name, index === undefined ? rest : { ...rest, index: ["slot", take(name)] });
    });
    for (const [name, view] of innerViews) {
      const slot = this.arrays.get("within" in view ? view.within : "");
      if (slot === undefined) this.module.fail(params[0]!, `the array of "${name}" is not a parameter`);
      this.scopes[0]!.set(name, { kind: "blocks", view, slot: slot! });
    }
    for (const { left, right } of defaulted) this.defaults.push(["set", this.declare(left), this.expression(right)]);
    return names;
  }

  translate(params: readonly string[], body: readonly Node[]): FunctionData {
    const block = [...this.defaults, ...this.block(body)];
    return { name: this.name, params, slots: this.slots, body: block };
  }

  private block(statements: readonly Node[]): Block {
    this.scopes.push(new Map());
    const block = statements.flatMap((statement) => this.statement(statement));
    this.scopes.pop();
    return block;
  }

  private bodyOf(node: Node | null): Block {
    if (node === null) return [];
    return this.block(node.type === "BlockStatement" ? node.body : [node]);
  }

  private statement(node: Node): Statement[] {
    switch (node.type) {
      case "VariableDeclaration":
        return node.declarations.flatMap((declaration: Node) => this.declaration(declaration, node.kind === "const"));
      case "ExpressionStatement":
        return [this.effect(node.expression)];
      case "IfStatement":
        return [["if", this.expression(node.test), this.bodyOf(node.consequent), this.bodyOf(node.alternate)]];
      case "WhileStatement":
        return [["loop", this.expression(node.test), this.bodyOf(node.body), []]];
      case "ForStatement":
        return this.forLoop(node);
      case "ForOfStatement":
        return this.forEachName(node);
      case "BlockStatement":
        return [...this.block(node.body)];
      case "ReturnStatement":
        return [node.argument === null ? ["return"] : ["return", this.expression(node.argument)]];
      case "ContinueStatement":
        return [["continue"]];
      default:
        return this.module.fail(node, "not a statement of equations");
    }
  }

  /** Declares a name. A number gets a slot; a part of a view gets one only if its position is not constant. */
  private declaration({ id, init, ...node }: Node, isConstant: boolean): Statement[] {
    if (init === null) this.module.fail({ ...node, type: "", start: node.start }, "no initial value");
    const ref = this.ref(init);
    if (ref === undefined || this.isNumber(ref)) {
      const value = this.expression(init);
      return [["set", this.declare(id), value]];
    }
    if (!isConstant || id.type !== "Identifier") this.module.fail(init, "a part of a view needs its own `const`");
    const statements: Statement[] = [];
    const kept = (place: Expression): Expression => {
      if (typeof place === "number") return place;
      this.slots += 1;
      statements.push(["set", this.slots - 1, place]);
      return ["slot", this.slots - 1];
    };
    const scope = this.scopes[this.scopes.length - 1]!;
    if (ref.kind === "cells") scope.set(id.name, { ...ref, offset: kept(ref.offset) });
    else if (ref.kind === "map" && ref.index !== undefined) scope.set(id.name, { ...ref, index: kept(ref.index) });
    else scope.set(id.name, ref);
    return statements;
  }

  private forLoop(node: Node): Statement[] {
    this.scopes.push(new Map());
    const start = node.init === null ? [] : this.statement(node.init);
    const test = node.test === null ? this.module.fail(node, "a loop needs a condition") : this.expression(node.test);
    const body = this.bodyOf(node.body);
    const after = node.update === null ? [] : [this.effect(node.update)];
    this.scopes.pop();
    return [...start, ["loop", test, body, after]];
  }

  /** Translates `for (const name of names)` over the names of a constant table: repeats the body once per name. */
  private forEachName(node: Node): Statement[] {
    const table = node.right.type === "Identifier" ? this.translator.table(this.module, node.right.name) : undefined;
    if (table === undefined) return this.module.fail(node, "not a statement of equations");
    return table.flatMap(([key]) => {
      this.scopes.push(new Map([[node.left.declarations[0].id.name as string, { kind: "key", key }]]));
      const body = this.bodyOf(node.body);
      this.scopes.pop();
      return [...body];
    });
  }

  private declare(id: Node): number {
    if (id.type !== "Identifier") return this.module.fail(id, "declare one name at a time");
    const slot = this.slots;
    this.slots += 1;
    this.scopes[this.scopes.length - 1]!.set(id.name, slot);
    return slot;
  }

  private bound(name: string): number | Ref | undefined {
    for (let i = this.scopes.length - 1; i >= 0; i -= 1) {
      const bound = this.scopes[i]!.get(name);
      if (bound !== undefined) return bound;
    }
    return undefined;
  }

  private slotOf(name: string): number | undefined {
    const bound = this.bound(name);
    return typeof bound === "number" ? bound : undefined;
  }

  /** Returns the view, or part of a view, that an expression refers to, or undefined if it is neither. */
  private ref(given: Node): Ref | undefined {
    const node = plain(given);
    if (node.type === "Identifier") {
      const bound = this.bound(node.name);
      return typeof bound === "number" ? undefined : bound;
    }
    if (node.type !== "MemberExpression" || node.optional) return undefined;
    const owner = this.ref(node.object);
    if (owner === undefined || owner.kind === "key" || owner.kind === "cells") return undefined;
    const key = node.computed ? this.ref(node.property) : undefined;
    const field = key?.kind === "key" ? key.key : (node.property.name as string);
    if (owner.kind === "blocks") return this.blockOf(owner, field, node);
    if (Array.isArray(owner.map) && node.computed) {
      const [map, next] = owner.map as unknown[];
      return { ...owner, map, next, index: this.expression(node.property) };
    }
    const fields = owner.map as ViewMap;
    if (node.computed || !Object.hasOwn(fields, field)) return this.module.fail(node, "not a field of this view");
    const part: Ref = {
      ...owner,
      map: fields[field],
      ...(owner.next === undefined ? {} : { next: (owner.next as ViewMap)[field] }),
    };
    const isArray = ArrayBuffer.isView(part.map);
    return isArray ? { kind: "cells", slot: this.cell(part)[0], offset: this.cell(part)[1] } : part;
  }

  private blockOf({ view, slot }: Ref & { kind: "blocks" }, field: string, node: Node): Ref {
    const from = this.arrays.get(view.of);
    if (from === undefined)
      return this.module.fail(node, `its offset is in array "${view.of}", which is not a parameter`);
    if ("offsets" in view) {
      const element = view.offsets[field];
      if (element === undefined) return this.module.fail(node, "not a field of this view");
      return { kind: "cells", slot, offset: ["at", from, element] };
    }
    let offset: Expression = "from" in view ? view.from : 0;
    for (const [name, size] of "sizes" in view ? view.sizes : []) {
      if (name === field) return { kind: "cells", slot, offset };
      offset = plus(offset, typeof size === "number" ? size : ["at", from, size.element]);
    }
    return this.module.fail(node, "not a field of this view");
  }

  private isNumber(ref: Ref): boolean {
    return ref.kind === "map" && typeof ref.map === "number";
  }

  /** Returns the slot of the array, and the index in it, of a number or of the first number of an array. */
  private cell({ map, next, index, slots }: Ref & { kind: "map" }): [slot: number, index: Expression] {
    const first = (value: unknown) => (typeof value === "number" ? value : (value as Float64Array)[0]!);
    const cellIndex = (value: number) => (value < 0 ? -1 - value : value);
    const at = cellIndex(first(map));
    const slot = slots[first(map) < 0 ? 1 : 0]!;
    return [slot, index === undefined ? at : plus(at, times(index, cellIndex(first(next)) - at))];
  }

  /** Translates an assignment or call that is a statement by itself. */
  private effect(node: Node): Statement {
    if (node.type === "CallExpression") return ["do", this.expression(node)];
    if (node.type !== "AssignmentExpression") return this.module.fail(node, "not an assignment or a call");
    const target = plain(node.left);
    const operator = node.operator.slice(0, -1);
    if (operator !== "" && !BINARY.has(operator)) this.module.fail(node, "unknown assignment");
    const given = this.expression(node.right);
    const value = (old: Expression): Expression => (operator === "" ? given : [operator as Binary, old, given]);
    if (target.type === "Identifier") {
      const slot = this.slotOf(target.name) ?? this.module.fail(target, "unknown name");
      return ["set", slot, value(["slot", slot])];
    }
    const [slot, index] = this.place(target);
    return ["put", slot, index, value(["at", slot, index])];
  }

  /** Translates an element of an array or a number of a view. */
  private place(node: Node): [slot: number, index: Expression] {
    const ref = this.ref(node);
    if (ref?.kind === "map" && typeof ref.map === "number") return this.cell(ref);
    const array = node.type === "MemberExpression" && node.computed ? plain(node.object) : undefined;
    const cells = array === undefined ? undefined : this.ref(array);
    if (cells?.kind === "cells") return [cells.slot, plus(cells.offset, this.expression(node.property))];
    const slot = array?.type === "Identifier" ? this.slotOf(array.name) : undefined;
    if (slot === undefined) return this.module.fail(node, "not an element of an array parameter");
    return [slot, this.expression(node.property)];
  }

  private expression(given: Node): Expression {
    const node = plain(given);
    switch (node.type) {
      case "Literal":
        if (typeof node.value === "boolean" || Number.isFinite(node.value)) return node.value;
        return this.module.fail(node, "not a finite number");
      case "Identifier":
        return this.named(node);
      case "MemberExpression":
        return ["at", ...this.place(node)];
      case "UnaryExpression":
        if (node.operator === "-") return ["neg", this.expression(node.argument)];
        if (node.operator === "!") return ["not", this.expression(node.argument)];
        return this.module.fail(node, "unknown operator");
      case "BinaryExpression":
        if (!BINARY.has(node.operator)) return this.module.fail(node, "unknown operator");
        return [node.operator as Binary, this.expression(node.left), this.expression(node.right)];
      case "LogicalExpression":
        if (node.operator === "??") return this.module.fail(node, "unknown operator");
        return [node.operator === "&&" ? "and" : "or", this.expression(node.left), this.expression(node.right)];
      case "ConditionalExpression":
        return [
          "choose",
          this.expression(node.test),
          this.expression(node.consequent),
          this.expression(node.alternate),
        ];
      case "CallExpression":
        return this.call(node);
      default:
        return this.module.fail(node, "not an expression of equations");
    }
  }

  private named(node: Node): Expression {
    const slot = this.slotOf(node.name);
    if (slot !== undefined) return ["slot", slot];
    if (node.name === "Infinity") return ["/", 1, 0];
    const value = this.translator.constant(this.module, node.name) ?? this.module.fail(node, "unknown name");
    // JSON can represent neither −0 nor numbers that are not finite.
    if (Object.is(value, -0)) return ["neg", 0];
    return Number.isFinite(value) ? value : this.module.fail(node, "not a finite number");
  }

  private call(node: Node): Expression {
    const { callee } = node;
    if (callee.type === "MemberExpression" && callee.object.name === "Math") {
      const name = callee.property.name as string;
      if (MATH[name] !== node.arguments.length) return this.module.fail(node, "unknown function");
      return [name, ...node.arguments.map((argument: Node) => this.expression(argument))] as unknown as Expression;
    }
    const { name, node: declared, home } = this.callee(callee, node);
    // Drop arguments that the function does not declare.
    const given = node.arguments.slice(0, declared.params.length) as Node[];
    const refs = given
      .map((argument) => this.ref(argument))
      .map((ref) => (ref && this.isNumber(ref) ? undefined : ref));
    const index = this.translator.instance(home, name, declared, refs);
    return ["call", index, ...given.flatMap((argument, i) => this.argument(argument, refs[i]))];
  }

  private callee(callee: Node, node: Node): { name: string; node: Node; home: Module } {
    if (callee.type === "Identifier") {
      return { name: callee.name, ...this.translator.find(this.module, callee.name, node) };
    }
    const key = callee.type === "MemberExpression" && callee.computed ? this.ref(callee.property) : undefined;
    const table = key?.kind === "key" ? this.translator.table(this.module, callee.object.name) : undefined;
    const entry = table?.find(([name]) => key?.kind === "key" && name === key.key);
    if (entry === undefined) return this.module.fail(node, "not a call of a plain function");
    return { name: entry[0], node: entry[1], home: this.module };
  }

  private argument(node: Node, ref: Ref | undefined): Expression[] {
    if (ref === undefined) return [this.expression(node)];
    if (ref.kind === "cells") return [["slot", ref.slot], ref.offset];
    if (ref.kind === "blocks") return [["slot", ref.slot]];
    if (ref.kind === "key") return this.module.fail(node, "a key of a table cannot be an argument");
    const arrays = ref.slots.map((slot): Expression => ["slot", slot]);
    return ref.index === undefined ? arrays : [...arrays, ref.index];
  }
}

/** Adds two indices; folds the sum if both are numbers or one is 0. */
function plus(a: Expression, b: Expression): Expression {
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (a === 0) return b;
  return b === 0 ? a : ["+", a, b];
}

function times(a: Expression, b: number): Expression {
  if (typeof a === "number") return a * b;
  return b === 1 ? a : ["*", a, b];
}

/** Returns the expression without parentheses and type annotations. */
function plain(node: Node): Node {
  return node.type === "TSNonNullExpression" ||
    node.type === "TSAsExpression" ||
    node.type === "TSSatisfiesExpression" ||
    node.type === "ParenthesizedExpression"
    ? plain(node.expression)
    : node;
}
