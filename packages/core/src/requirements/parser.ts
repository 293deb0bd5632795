/**
 * Parses tokens into a tree, by recursive descent. docs/requirements.md lists the grammar.
 *
 * The same functions parse values and formulas, because a parenthesis may begin either; the parsed content decides
 * which it is. So the parser never backtracks, and its run time is linear in the length of the text.
 *
 * The file is long because every rule of the grammar is a method, and they call each other.
 */
import { isTimeUnit, usPerTimeUnit } from "../quantities/index.ts";
import type { ErrorFactory } from "../errors/index.ts";
import { requirementErrors } from "./errors.ts";
import { fault } from "./fault.ts";
import { leftOverDetails } from "./hints.ts";
import { type Token, tokensOf } from "./tokens.ts";
import {
  type BuiltInEvent,
  type Comparator,
  type EventTree,
  type FormulaTree,
  FUNCTION_NAMES,
  type FunctionName,
  type MeasureTree,
  type Place,
  type RequirementTree,
  type ScopeTree,
  type SpanTree,
  type ValueTree,
} from "./tree.ts";

const MAX_NODES = 1000;
const MAX_LEVELS = 32;
/** Limit of times and of window lengths: 10⁸ s. */
const MAX_TIME_US = 1e14;

const COMPARATORS: readonly string[] = [">", ">=", "<", "<=", "==", "!="];
const FUNCTIONS: readonly string[] = FUNCTION_NAMES;
const BUILT_IN: readonly string[] = ["takeoff", "touchdown", "arming", "disarming"];

/** Reserved words. An event with such a name is written in quotation marks. */
export const WORDS: readonly string[] = [
  ..."always never eventually during within for from to after before while at".split(" "),
  ..."if then implies and or not until once in the last is".split(" "),
  ...BUILT_IN,
  "missionItem",
];

type ValueOrFormula = ValueTree | FormulaTree;

export function parseRequirement(text: string): RequirementTree {
  return new Parser(text).requirement();
}

export function parseMeasureTree(text: string): MeasureTree {
  return new Parser(text).measure();
}

class Parser {
  private readonly text: string;
  private readonly tokens: readonly Token[];
  private next = 0;
  private nodes = 0;
  private level = 0;

  constructor(text: string) {
    this.text = text;
    this.tokens = tokensOf(text);
  }

  requirement(): RequirementTree {
    const scope = this.scope();
    if (scope !== undefined) this.expect(":", "a scope ends with a colon");
    const word = this.peek().text;
    const mode = word === "always" || word === "never" || word === "eventually" ? word : "plain";
    if (mode !== "plain") this.take();
    const formula = this.asFormula(this.formula());
    const during = this.takeWord("during") ? this.span() : undefined;
    this.expectEnd();
    if (during === undefined) return { scope: scope ?? { scope: "whole" }, mode, formula };
    if (scope === undefined) return { scope: { scope: "during", span: during }, mode, formula };
    throw this.fault(requirementErrors.leftOver, during.place, {
      what: `the requirement has two scopes`,
      fix: "leave one of them out, or write two requirements",
    });
  }

  measure(): MeasureTree {
    const token = this.take();
    const { text: word, place } = token;
    const measure = this.measureOf(word, place);
    this.expectEnd();
    return measure;
  }

  private measureOf(word: string, place: Place): MeasureTree {
    switch (word) {
      case "max":
      case "min":
      case "mean":
      case "rms":
      case "final": {
        const of = this.asValue(this.sum());
        return { measure: word, of, during: this.takeWord("during") ? this.span() : undefined };
      }
      case "first":
        this.expectWord("time");
        return { measure: "first time", of: this.asFormula(this.formula()) };
      case "time":
      case "count":
        this.expectWord("of");
        return { measure: `${word} of`, event: this.event() };
      default:
        throw this.fault(requirementErrors.leftOver, place, {
          what: `"${word}" does not begin a measure`,
          fix: "begin with max, min, mean, rms, final, first time, time of or count of",
        });
    }
  }

  private scope(): ScopeTree | undefined {
    const { text: word, place } = this.peek();
    switch (word) {
      case "during":
        this.take();
        return { scope: "during", span: this.span() };
      case "at": {
        this.take();
        return { scope: "at", tUs: this.time(), place: this.placeFrom(place) };
      }
      case "after":
      case "before":
        this.take();
        return { scope: word, event: this.event() };
      case "while":
        this.take();
        return { scope: "while", of: this.asFormula(this.formula()) };
      case "within":
      case "for":
        if (!this.isWord(2, "after")) return undefined;
        this.take();
        return { scope: "each", mode: word, fromUs: 0, toUs: this.time(), event: this.afterEvent() };
      case "from": {
        if (!this.isWord(4, "after")) return undefined;
        this.take();
        return { scope: "each", mode: "for", ...this.fromTo(place), event: this.afterEvent() };
      }
      default:
        return undefined;
    }
  }

  private afterEvent(): EventTree {
    this.expectWord("after");
    return this.event();
  }

  private formula(): ValueOrFormula {
    return this.nested(() => {
      const { text: word, place } = this.peek();
      if (word === "if") {
        this.take();
        const left = this.asFormula(this.disjunction());
        this.expectWord("then");
        return this.node({
          formula: "implies",
          left,
          right: this.asFormula(this.formula()),
          place: this.placeFrom(place),
        });
      }
      const left = this.disjunction();
      if (!this.takeWord("implies")) return left;
      const right = this.asFormula(this.formula());
      return this.node({ formula: "implies", left: this.asFormula(left), right, place: this.placeFrom(place) });
    });
  }

  private disjunction(): ValueOrFormula {
    return this.joined("or", () => this.joined("and", () => this.until()));
  }

  private joined(word: "and" | "or", operand: () => ValueOrFormula): ValueOrFormula {
    const { place } = this.peek();
    let left = operand();
    while (this.takeWord(word)) {
      const right = this.asFormula(operand());
      left = this.node({ formula: word, left: this.asFormula(left), right, place: this.placeFrom(place) });
    }
    return left;
  }

  private until(): ValueOrFormula {
    const { place } = this.peek();
    const left = this.unary();
    if (!this.takeWord("until")) return left;
    const right = this.asFormula(this.unary());
    const withinUs = this.takeWord("within") ? this.time() : Infinity;
    return this.node({ formula: "until", left: this.asFormula(left), right, withinUs, place: this.placeFrom(place) });
  }

  private unary(): ValueOrFormula {
    return this.nested(() => {
      const { text: word, place, token } = this.peek();
      const operand = () => this.asFormula(this.unary());
      switch (token === "name" ? word : "") {
        case "not":
          this.take();
          return this.node({ formula: "not", of: operand(), place: this.placeFrom(place) });
        case "never": {
          this.take();
          const of = this.node({ formula: "not", of: operand(), place: this.placeFrom(place) });
          return this.node({ formula: "always", of, place: this.placeFrom(place) });
        }
        case "always":
        case "eventually":
          this.take();
          return this.node({ formula: word as "always", of: operand(), place: this.placeFrom(place) });
        case "within":
        case "for": {
          this.take();
          const toUs = this.time();
          this.takeSymbol(":");
          return this.node({ formula: word as "for", fromUs: 0, toUs, of: operand(), place: this.placeFrom(place) });
        }
        case "from": {
          this.take();
          const span = this.fromTo(place);
          this.takeSymbol(":");
          return this.node({ formula: "for", ...span, of: operand(), place: this.placeFrom(place) });
        }
        case "once": {
          this.take();
          const of = operand();
          for (const next of ["in", "the", "last"]) this.expectWord(next);
          return this.node({ formula: "once", of, lastUs: this.time(), place: this.placeFrom(place) });
        }
        default:
          return this.predicate();
      }
    });
  }

  private predicate(): ValueOrFormula {
    const { place } = this.peek();
    const left = this.sum();
    const { text: symbol, token } = this.peek();
    if (token === "symbol" && COMPARATORS.includes(symbol)) {
      this.take();
      const comparator = symbol as Comparator;
      const right = this.asValue(this.sum());
      return this.node({
        formula: "compare",
        comparator,
        left: this.asValue(left),
        right,
        place: this.placeFrom(place),
      });
    }
    if (!this.takeWord("is")) return left;
    const isNot = this.takeWord("not");
    const value = this.value();
    return this.node({ formula: "is", of: this.asValue(left), isNot, value, place: this.placeFrom(place) });
  }

  /** Parses the name of a code: one word, several, or a quoted text. */
  private value(): string {
    const first = this.take();
    if (first.token === "quoted") return first.text;
    if (first.token !== "name") {
      throw this.fault(requirementErrors.leftOver, first.place, {
        what: `"is" needs the name of a value, not ${this.tokenText(first)}`,
        fix: "write e.g. navState is land",
      });
    }
    const words = [first.text];
    const ends = () =>
      VALUE_END_WORDS.includes(this.peek().text) || ["in", "the", "last"].every((word, i) => this.isWord(i, word));
    while (this.peek().token === "name" && !ends()) words.push(this.take().text);
    return words.join(" ");
  }

  private sum(): ValueOrFormula {
    return this.operations(
      [
        ["+", "add"],
        ["-", "subtract"],
      ],
      () =>
        this.operations(
          [
            ["*", "multiply"],
            ["/", "divide"],
          ],
          () => this.factor(),
        ),
    );
  }

  private operations(
    symbols: readonly (readonly [symbol: string, value: "add" | "subtract" | "multiply" | "divide"])[],
    operand: () => ValueOrFormula,
  ): ValueOrFormula {
    const { place } = this.peek();
    let left = operand();
    for (;;) {
      const { token, text } = this.peek();
      const found = token === "symbol" ? symbols.find(([symbol]) => symbol === text) : undefined;
      if (found === undefined) return left;
      this.take();
      const right = this.asValue(operand());
      left = this.node({ value: found[1], left: this.asValue(left), right, place: this.placeFrom(place) });
    }
  }

  private factor(): ValueOrFormula {
    return this.nested(() => {
      const token = this.take();
      const { place, text } = token;
      if (token.token === "number") {
        return this.node({ value: "number", number: token.value, unit: token.unit, place });
      }
      if (token.token === "quoted") return this.eventFormula({ event: "named", name: text, place });
      if (token.token === "symbol" && text === "-") {
        const of = this.asValue(this.factor());
        return this.node({ value: "negate", of, place: this.placeFrom(place) });
      }
      if (token.token === "symbol" && text === "(") {
        const inner = this.formula();
        this.expect(")", "a parenthesis is not closed");
        return { ...inner, place: this.placeFrom(place) };
      }
      if (token.token === "name") return this.name(text, place);
      throw this.unexpected(token);
    });
  }

  private name(text: string, place: Place): ValueOrFormula {
    if (BUILT_IN.includes(text)) return this.eventFormula({ event: text as BuiltInEvent, place });
    if (text === "missionItem" && this.peek().token === "number") {
      return this.eventFormula({ event: "missionItem", item: this.item(), place: this.placeFrom(place) });
    }
    if (FUNCTIONS.includes(text) && this.takeSymbol("(")) {
      const of = [this.asValue(this.sum())];
      while (this.takeSymbol(",")) of.push(this.asValue(this.sum()));
      this.expect(")", "a parenthesis is not closed");
      return this.node({ value: "call", name: text as FunctionName, of, place: this.placeFrom(place) });
    }
    if (WORDS.includes(text) && text !== "missionItem") {
      throw this.fault(requirementErrors.leftOver, place, {
        what: `"${text}" is not allowed here`,
        fix: "write a quantity, a flag, an event or a comparison",
      });
    }
    const component = this.component();
    const at = this.takeWord("at") ? this.event() : undefined;
    return this.node({ value: "named", name: text, component, at, place: this.placeFrom(place) });
  }

  private component(): string | number | undefined {
    if (this.takeSymbol(".")) {
      const token = this.take();
      if (token.token === "name") return token.text;
      throw this.unexpected(token);
    }
    if (!this.takeSymbol("[")) return undefined;
    const item = this.item();
    this.expect("]", "a bracket is not closed");
    return item;
  }

  private item(): number {
    const token = this.take();
    if (token.token === "number" && token.unit === undefined && Number.isSafeInteger(token.value)) return token.value;
    throw this.fault(requirementErrors.leftOver, token.place, {
      what: `${this.tokenText(token)} is not a whole number without a unit`,
      fix: "number components from 1",
    });
  }

  private event(): EventTree {
    const token = this.take();
    const { text, place } = token;
    if (token.token === "quoted") return { event: "named", name: text, place };
    if (token.token === "symbol" && text === "(") {
      const of = this.asFormula(this.formula());
      this.expect(")", "a parenthesis is not closed");
      return { event: "edge", of, place: this.placeFrom(place) };
    }
    if (token.token !== "name") throw this.unexpected(token);
    if (BUILT_IN.includes(text)) return { event: text as BuiltInEvent, place };
    if (text === "missionItem") return { event: "missionItem", item: this.item(), place: this.placeFrom(place) };
    if (!WORDS.includes(text)) return { event: "named", name: text, place };
    throw this.fault(requirementErrors.leftOver, place, {
      what: `"${text}" is a word of the language, not an event`,
      fix: `write "${text}" in quotation marks if an event has that name`,
    });
  }

  private eventFormula(of: EventTree): FormulaTree {
    return this.node({ formula: "event", of, place: of.place });
  }

  private span(): SpanTree {
    const { place } = this.peek();
    const fromUs = this.time();
    this.expect("..", "a range has two ends");
    const toUs = this.time();
    return this.orderedSpan(fromUs, toUs, place);
  }

  /** Parses the rest of `from 1 s to 3 s`; the word `from` has already been read. */
  private fromTo(place: Place): { fromUs: number; toUs: number } {
    const fromUs = this.time();
    this.expectWord("to");
    const { fromUs: first, toUs } = this.orderedSpan(fromUs, this.time(), place);
    return { fromUs: first, toUs };
  }

  private orderedSpan(fromUs: number, toUs: number, start: Place): SpanTree {
    const place = this.placeFrom(start);
    if (fromUs <= toUs) return { fromUs, toUs, place };
    throw this.fault(requirementErrors.badWindow, place, {
      what: "the window ends before it begins",
      fix: "swap the two times",
    });
  }

  /** Parses a time as whole microseconds. */
  private time(): number {
    const token = this.take();
    if (token.token !== "number") {
      throw this.fault(requirementErrors.badTime, token.place, {
        what: `a time is expected, not ${this.tokenText(token)}`,
        fix: "write e.g. 3 s",
      });
    }
    const { value, unit, text, place } = token;
    if (unit === undefined || !isTimeUnit(unit)) {
      const what = unit === undefined ? `the time ${text} has no unit` : `${text} ${unit} is not a time`;
      throw this.fault(requirementErrors.badTime, place, { what, fix: `write ${text} s, ${text} ms or ${text} min` });
    }
    const exactUs = value * usPerTimeUnit(unit);
    const us = Math.round(exactUs);
    if (Math.abs(exactUs - us) > 1e-9 * Math.max(1, us)) {
      throw this.fault(requirementErrors.badTime, place, {
        what: `${text} ${unit} is not a whole number of microseconds`,
        fix: `round it, e.g. to ${us} us`,
      });
    }
    if (us <= MAX_TIME_US) return us;
    throw this.fault(requirementErrors.badTime, place, {
      what: `${text} ${unit} is too long`,
      fix: "use at most 1e8 s",
    });
  }

  private asFormula(part: ValueOrFormula): FormulaTree {
    return "formula" in part ? part : this.node({ formula: "bare", of: part, place: part.place });
  }

  private asValue(part: ValueOrFormula): ValueTree {
    if (!("formula" in part)) return part;
    throw this.fault(requirementErrors.units, part.place, {
      what: `${this.quote(part.place)} is a statement, not a value`,
      fix: 'join statements by "and" or "or"',
    });
  }

  private node<T extends ValueOrFormula>(node: T): T {
    this.nodes += 1;
    if (this.nodes > MAX_NODES) throw this.tooLarge(`it has more than ${MAX_NODES} parts`);
    return node;
  }

  private nested<T>(read: () => T): T {
    this.level += 1;
    // Every level of nesting passes through a formula, a unary operator and a factor.
    if (this.level > 3 * MAX_LEVELS) throw this.tooLarge(`more than ${MAX_LEVELS} operators are nested`);
    const value = read();
    this.level -= 1;
    return value;
  }

  private tooLarge(what: string): Error {
    return this.fault(requirementErrors.tooLarge, this.peek().place, { what, fix: "write several requirements" });
  }

  private peek(ahead = 0): Token {
    return this.tokens[Math.min(this.next + ahead, this.tokens.length - 1)]!;
  }

  private take(): Token {
    const token = this.peek();
    if (token.token !== "end") this.next += 1;
    return token;
  }

  private isWord(ahead: number, word: string): boolean {
    const { token, text } = this.peek(ahead);
    return token === "name" && text === word;
  }

  private takeWord(word: string): boolean {
    if (!this.isWord(0, word)) return false;
    this.take();
    return true;
  }

  private takeSymbol(symbol: string): boolean {
    const { token, text } = this.peek();
    if (token !== "symbol" || text !== symbol) return false;
    this.take();
    return true;
  }

  private expectWord(word: string): void {
    if (this.takeWord(word)) return;
    const token = this.peek();
    throw this.fault(requirementErrors.leftOver, token.place, {
      what: `"${word}" is expected, not ${this.tokenText(token)}`,
      fix: `write "${word}" here`,
    });
  }

  private expect(symbol: string, why: string): void {
    if (this.takeSymbol(symbol)) return;
    const token = this.peek();
    throw this.fault(requirementErrors.leftOver, token.place, {
      what: `${why}: "${symbol}" is expected, not ${this.tokenText(token)}`,
      fix: `write "${symbol}" here`,
    });
  }

  private expectEnd(): void {
    const token = this.peek();
    if (token.token === "end") return;
    const [before, after] = [this.tokens[this.next - 1], this.peek(1)];
    throw this.fault(requirementErrors.leftOver, token.place, {
      what: `${this.tokenText(token)} is left over after the requirement`,
      ...leftOverDetails({ before, token, after }, WORDS),
    });
  }

  private unexpected(token: Token): Error {
    return this.fault(requirementErrors.leftOver, token.place, {
      what: token.token === "end" ? "the text ends too early" : `${this.tokenText(token)} is not allowed here`,
      fix: "write a quantity, a number with its unit, or a comparison",
    });
  }

  private tokenText(token: Token): string {
    return token.token === "end" ? "the end" : this.quote(token.place);
  }

  private quote([start, end]: Place): string {
    return `"${this.text.slice(start, Math.min(end, start + 60))}"`;
  }

  /** Returns the range from a place to the last token that was read. */
  private placeFrom([start]: Place): Place {
    return [start, this.tokens[Math.max(0, this.next - 1)]!.place[1]];
  }

  private fault(make: ErrorFactory, place: Place, details: { what: string; fix: string }): Error {
    return fault(make, this.text, place, details);
  }
}

/** Words that end the name of a value. */
const VALUE_END_WORDS: readonly string[] = ["and", "or", "implies", "then", "until", "during", "within"];
