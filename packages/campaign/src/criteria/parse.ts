/** Reads criteria: statements about all flights of a campaign, which are met, not met, or open. */
import { didYouMean, type SimError } from "@escapement/core";
import { criterionErrors } from "./errors.ts";

export type Comparator = "<" | "<=" | ">" | ">=";

export type Criterion =
  | {
      readonly kind: "probability";
      readonly text: string;
      /** Index of the requirement. */
      readonly requirement: number;
      readonly comparator: Comparator;
      readonly bound: number;
      readonly confidence: number;
    }
  | {
      readonly kind: "statistic";
      readonly text: string;
      readonly statistic: "mean" | "min" | "max" | "quantile";
      /** Of a quantile: from 0 to 1. */
      readonly q?: number;
      /** Index of the measure. */
      readonly measure: number;
      readonly comparator: Comparator;
      /** In the unit of the measure. */
      readonly bound: number;
      readonly unit: string;
      readonly confidence?: number;
    }
  | { readonly kind: "every"; readonly text: string; readonly requirement: number }
  | { readonly kind: "no failures"; readonly text: string };

/** Names that a criterion may use. */
export interface CriterionNames {
  readonly requirements: readonly string[];
  readonly measures: readonly { readonly name: string; readonly unit: string }[];
  /** Converts a value between units; undefined if one is unknown or they measure different things. */
  readonly convert: (value: number, from: string, to: string) => number | undefined;
}

const NUMBER = String.raw`[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?`;
const CONFIDENCE = /^(?<rest>.*?)\s+with\s+(?<percent>\S.*?)\s+confidence$/;
const COMPARISON = new RegExp(`^(?<comparator><=|>=|<|>)\\s*(?<number>${NUMBER})\\s*(?<unit>\\S*)$`);
const STATISTIC = /^(?<name>mean|min|max|q(?<percent>\d+(?:\.\d+)?))\s*\(/;

/** Reads a criterion. Throws a typed error with the key in the campaign and the fix. */
export function parseCriterion(text: string, names: CriterionNames, key = "criteria"): Criterion {
  return new CriterionParser(text.trim().replace(/\s+/g, " "), names, key).parse();
}

class CriterionParser {
  private readonly text: string;
  private readonly names: CriterionNames;
  private readonly key: string;

  constructor(text: string, names: CriterionNames, key: string) {
    this.text = text;
    this.names = names;
    this.key = key;
  }

  parse(): Criterion {
    const { text } = this;
    if (text === "no flight fails") return { kind: "no failures", text };
    const [, every] = /^every flight ?: ?(.*)$/.exec(text) ?? [];
    if (every !== undefined) return { kind: "every", text, requirement: this.requirement(every) };
    const { rest, percent } = CONFIDENCE.exec(text)?.groups ?? { rest: text, percent: undefined };
    const confidence = percent === undefined ? undefined : this.confidence(percent);
    if (/^P ?\(/.test(rest!)) return this.probability(rest!, confidence);
    const statistic = STATISTIC.exec(rest!)?.groups;
    if (statistic !== undefined) return this.statistic(rest!, statistic["name"]!, statistic["percent"], confidence);
    throw this.notUnderstood(
      "it matches none of the known forms",
      'write for example "P(requirement) >= 99 % with 95 % confidence"',
    );
  }

  private probability(rest: string, confidence: number | undefined): Criterion {
    const names = this.names.requirements;
    const { name, after } = this.argument(rest, names);
    const requirement = this.requirement(name);
    const { comparator, number, unit } = this.comparison(after);
    if (unit !== "" && unit !== "%")
      throw this.errorOf("badNumber", `a probability has no unit ${unit}`, "write 99 % or 0.99");
    const bound = unit === "%" ? number / 100 : number;
    if (!(bound > 0 && bound < 1))
      throw this.errorOf(
        "badNumber",
        `${number}${unit === "" ? "" : " %"} is not a probability between 0 and 1`,
        'write e.g. 99 % or 0.99; for all flights write "every flight: …"',
      );
    if (confidence === undefined)
      throw this.notUnderstood("a probability needs a confidence", 'add "with 95 % confidence"');
    return { kind: "probability", text: this.text, requirement, comparator, bound, confidence };
  }

  private statistic(
    rest: string,
    word: string,
    percent: string | undefined,
    confidence: number | undefined,
  ): Criterion {
    const { measures } = this.names;
    const known = measures.map(({ name }) => name);
    const { name, after } = this.argument(rest, known);
    const measure = known.indexOf(name);
    if (measure < 0) throw this.unknown("measure", name, known);
    const { comparator, number, unit } = this.comparison(after);
    const own = measures[measure]!.unit;
    const statistic = percent === undefined ? (word as "mean" | "min" | "max") : "quantile";
    if (confidence !== undefined && (statistic === "min" || statistic === "max"))
      throw this.notUnderstood(
        `a confidence cannot be given for a ${statistic}: flights that were not flown could be more extreme`,
        `use a quantile, e.g. q${statistic === "max" ? "99" : "1"}(${name}), or leave the confidence out`,
      );
    return {
      kind: "statistic",
      text: this.text,
      statistic,
      ...(percent === undefined ? {} : { q: this.quantile(percent) }),
      measure,
      comparator,
      bound: this.bound(number, unit, own),
      unit: own,
      ...(confidence === undefined ? {} : { confidence }),
    };
  }

  /**
   * Returns the name between the parentheses and the text after them. A name may itself contain parentheses, so the
   * longest known name that matches is used.
   */
  private argument(rest: string, known: readonly string[]): { name: string; after: string } {
    const open = rest.indexOf("(");
    const inside = rest.slice(open + 1).trimStart();
    const fits = known.filter((name) => new RegExp(`^${escapeRegExp(name)} ?\\)`).test(inside));
    const name = fits.sort((a, b) => b.length - a.length)[0];
    if (name !== undefined) return { name, after: inside.slice(inside.indexOf(")", name.length) + 1).trim() };
    const end = /\) ?(?:<|>)/.exec(inside)?.index ?? inside.lastIndexOf(")");
    if (end < 0) throw this.notUnderstood('a ")" is missing', "close the parenthesis after the name");
    return { name: inside.slice(0, end).trim(), after: inside.slice(end + 1).trim() };
  }

  private comparison(after: string): { comparator: Comparator; number: number; unit: string } {
    const groups = COMPARISON.exec(after)?.groups;
    if (groups === undefined)
      throw this.notUnderstood(
        after === "" ? "the comparison is missing" : `"${after}" is not a comparison with a number`,
        "write <, <=, > or >= and a number with its unit",
      );
    return {
      comparator: groups["comparator"] as Comparator,
      number: Number(groups["number"]),
      unit: groups["unit"]!,
    };
  }

  private bound(number: number, unit: string, own: string): number {
    if (unit === own) return number;
    if (unit === "")
      throw this.errorOf("badUnit", `${number} has no unit, but the measure is in ${own}`, `write ${number} ${own}`);
    const converted = this.names.convert(number, unit, own);
    if (converted === undefined)
      throw this.errorOf(
        "badUnit",
        `${unit} does not fit a measure ${own === "" ? "without a unit" : `in ${own}`}`,
        own === "" ? "leave the unit out" : `write the value in ${own}`,
      );
    return converted;
  }

  private requirement(name: string): number {
    const index = this.names.requirements.indexOf(name);
    if (index < 0) throw this.unknown("requirement", name, this.names.requirements);
    return index;
  }

  private confidence(text: string): number {
    const [, number, percent] = new RegExp(`^(${NUMBER}) ?(%?)$`).exec(text) ?? [];
    const value = Number(number) / (percent === "%" ? 100 : 1);
    if (value > 0.5 && value < 1) return value;
    throw this.errorOf("badNumber", `"${text}" is not a confidence`, "write e.g. 95 %");
  }

  private quantile(percent: string): number {
    const q = Number(percent) / 100;
    if (q >= 0.001 && q <= 0.999) return q;
    throw this.errorOf("badNumber", `q${percent} is not a quantile`, "write q0.1 to q99.9, in percent");
  }

  private unknown(what: "requirement" | "measure", name: string, known: readonly string[]): SimError {
    const all =
      known.length === 0 ? `define it first: this campaign has no ${what}s` : `use one of: ${known.join(", ")}`;
    return this.errorOf("unknownName", `no ${what} is called "${name}"`, didYouMean(name, known, all));
  }

  private notUnderstood(why: string, fix: string): SimError {
    return this.errorOf("notUnderstood", why, fix);
  }

  private errorOf(name: "notUnderstood" | "unknownName" | "badNumber" | "badUnit", why: string, fix: string): SimError {
    return criterionErrors[name]({ what: `"${this.text}": ${why}`, where: { key: this.key }, fix });
  }
}

function escapeRegExp(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
