/**
 * Source → program: reads plain functions over flat arrays and turns them into data for the specialiser.
 *
 * Starts from one exported function and follows its calls through relative imports. What it does not understand it
 * refuses, with file and line: equations are to be written in the small language of `compile/program.ts`.
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

// biome-ignore lint: the tree is walked by its `type` strings.
type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, any>>;

const BINARY: ReadonlySet<string> = new Set(["+", "-", "*", "/", "<", "<=", ">", ">=", "===", "!=="]);
const MATH: Readonly<Record<string, number>> = { sqrt: 1, abs: 1, floor: 1, min: 2, max: 2 };

/** What a name of a file stands for elsewhere. */
interface Import {
  readonly file: string;
  readonly name: string;
}

/** One source file: its constants, its functions, and where its imports come from. */
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
  private readonly asTheyStand: ReadonlySet<string>;

  /** Functions named in `asTheyStand` are called, not translated. */
  constructor(asTheyStand: readonly string[] = []) {
    this.asTheyStand = new Set(asTheyStand);
  }

  /** The right-hand side of a file, and what makes outputs of it, if that is named. */
  translate(file: string, entry: string, outputs?: string): Program {
    const place = (name: string) => this.indexOf(this.module(file), name, { type: "", start: 0 });
    place(entry);
    const functions = this.functions as FunctionData[];
    return outputs === undefined ? { functions } : { functions, outputs: place(outputs) };
  }

  module(file: string): Module {
    const known = this.modules.get(file);
    if (known !== undefined) return known;
    const made = new Module(file);
    this.modules.set(file, made);
    return made;
  }

  /** Place of a function in the program; it is translated when first met. */
  indexOf(module: Module, name: string, node: Node): number {
    const declared = module.functions.get(name);
    if (declared === undefined) {
      const from = module.imports.get(name);
      const other = from && this.module(from.file);
      if (!other?.functions.has(from!.name)) return module.fail(node, `"${name}" is not a function of these modules`);
      return this.indexOf(other, from!.name, node);
    }
    // Each file has its own names.
    const key = `${module.file} ${name}`;
    const known = this.indices.get(key);
    if (known !== undefined) return known;
    const index = this.functions.length;
    this.indices.set(key, index);
    this.functions.push(undefined);
    const params = declared.params.map((param: Node) =>
      param.type === "Identifier" ? (param.name as string) : module.fail(param, "not a plain parameter"),
    );
    this.functions[index] = this.asTheyStand.has(name)
      ? { name, params, slots: params.length }
      : new FunctionTranslator(this, module, name, params).translate(declared.body.body);
    return index;
  }

  /** The value of a module's constant, or undefined if there is none of that name. */
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

/** Translates one function; block scopes are gone once every declaration has a slot of its own. */
class FunctionTranslator {
  private readonly translator: Translator;
  private readonly module: Module;
  private readonly name: string;
  private readonly params: readonly string[];
  private readonly scopes: Map<string, number>[] = [];
  private slots: number;

  constructor(translator: Translator, module: Module, name: string, params: readonly string[]) {
    this.translator = translator;
    this.module = module;
    this.name = name;
    this.params = params;
    this.slots = params.length;
    this.scopes.push(new Map(params.map((param, i) => [param, i])));
  }

  translate(body: readonly Node[]): FunctionData {
    const block = this.block(body);
    return { name: this.name, params: this.params, slots: this.slots, body: block };
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
        return node.declarations.map((declaration: Node): Statement => {
          const value = this.expression(declaration.init ?? this.module.fail(declaration, "no initial value"));
          return ["set", this.declare(declaration.id), value];
        });
      case "ExpressionStatement":
        return [this.effect(node.expression)];
      case "IfStatement":
        return [["if", this.expression(node.test), this.bodyOf(node.consequent), this.bodyOf(node.alternate)]];
      case "WhileStatement":
        return [["loop", this.expression(node.test), this.bodyOf(node.body), []]];
      case "ForStatement":
        return this.forLoop(node);
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

  private forLoop(node: Node): Statement[] {
    this.scopes.push(new Map());
    const start = node.init === null ? [] : this.statement(node.init);
    const test = node.test === null ? this.module.fail(node, "a loop needs a condition") : this.expression(node.test);
    const body = this.bodyOf(node.body);
    const after = node.update === null ? [] : [this.effect(node.update)];
    this.scopes.pop();
    return [...start, ["loop", test, body, after]];
  }

  private declare(id: Node): number {
    if (id.type !== "Identifier") return this.module.fail(id, "declare one name at a time");
    const slot = this.slots;
    this.slots += 1;
    this.scopes[this.scopes.length - 1]!.set(id.name, slot);
    return slot;
  }

  private slotOf(name: string): number | undefined {
    for (let i = this.scopes.length - 1; i >= 0; i -= 1) {
      const slot = this.scopes[i]!.get(name);
      if (slot !== undefined) return slot;
    }
    return undefined;
  }

  /** An assignment or a call standing alone. */
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

  private place(node: Node): [slot: number, index: Expression] {
    const array = node.type === "MemberExpression" && node.computed ? plain(node.object) : undefined;
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
    // JSON knows neither −0 nor what is not finite.
    if (Object.is(value, -0)) return ["neg", 0];
    return Number.isFinite(value) ? value : this.module.fail(node, "not a finite number");
  }

  private call(node: Node): Expression {
    const { callee } = node;
    const values = () => node.arguments.map((argument: Node) => this.expression(argument)) as Expression[];
    if (callee.type === "MemberExpression" && callee.object.name === "Math") {
      const name = callee.property.name as string;
      if (MATH[name] !== node.arguments.length) return this.module.fail(node, "unknown function");
      return [name, ...values()] as unknown as Expression;
    }
    if (callee.type !== "Identifier") return this.module.fail(node, "not a call of a plain function");
    return ["call", this.translator.indexOf(this.module, callee.name, node), ...values()];
  }
}

/** Without the marks that say something to the compiler only. */
function plain(node: Node): Node {
  return node.type === "TSNonNullExpression" ||
    node.type === "TSAsExpression" ||
    node.type === "ParenthesizedExpression"
    ? plain(node.expression)
    : node;
}
