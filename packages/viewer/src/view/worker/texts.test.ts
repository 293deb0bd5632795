/** Errors in a description are underlined at the key or the value that causes them, whatever the section. */
import { flightSchema } from "@escapement/core";
import { describe, expect, it } from "vitest";
import { registry, resolveText, textDiagnostics } from "./texts.ts";

interface Schema {
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A value that no key accepts. */
const WRONG = "[[[]]]";
const { properties: SECTIONS = {} } = flightSchema(registry) as Schema;

/** Returns the tables that a value can be: one per kind, if it has kinds. */
function tablesOf({ properties, anyOf = [] }: Schema): Readonly<Record<string, Schema>>[] {
  if (properties !== undefined) return [properties];
  return anyOf.flatMap(tablesOf).filter((table, _, all) => all.length === 1 || "kind" in table);
}

/** Returns a table in TOML in which every key has a wrong value. */
function wrongTable(name: string, table: Readonly<Record<string, Schema>>): string {
  const kind = table["kind"] === undefined ? [] : [`kind = ${JSON.stringify(table["kind"].const)}`];
  const keys = Object.keys(table).filter((key) => key !== "kind" && !isUnchecked(name, key));
  return [`[${name}]`, ...kind, ...keys.map((key) => `${key} = ${WRONG}`), ""].join("\n");
}

/** If a vehicle extends an unknown vehicle, its other keys are not checked, so `extends` gets no wrong value. */
const isUnchecked = (section: string, key: string) => section === "vehicle" && key === "extends";

/**
 * Returns the keys with a wrong value that no diagnostic marks at the key, at the value or at an item of the value.
 */
function unmarkedKeys(text: string): string[] {
  const marks = textDiagnostics(text, resolveText(text, {}));
  return [...text.matchAll(/(\w+) = \[\[\[\]\]\]/g)].flatMap(({ 0: all, 1: key = "", index }) =>
    marks.some(({ from, to }) => from >= index && from < to && to <= index + all.length) ? [] : [key],
  );
}

describe("an error in a description is underlined", () => {
  it.each(["timeline", "wind", "integrator", "estimator", "environment", "stop", "outputs", "vehicle"])(
    "at every key of %s",
    (name) => {
      const tables = tablesOf(SECTIONS[name]!);
      expect(tables.length).toBeGreaterThan(0);
      for (const table of tables) {
        const text = wrongTable(name, table);
        expect([text, unmarkedKeys(text)]).toEqual([text, []]);
      }
    },
  );

  it("at every sensor's keys", () => {
    for (const [sensor, schema] of Object.entries(SECTIONS["sensors"]!.properties!)) {
      const [table] = tablesOf(schema);
      const text = wrongTable(`sensors.${sensor}`, table!);
      expect([text, unmarkedKeys(text)]).toEqual([text, []]);
    }
  });

  it("at every parameter of PX4", () => {
    const [autopilot] = tablesOf(SECTIONS["autopilot"]!);
    const text = wrongTable("autopilot.parameters", autopilot!["parameters"]!.properties!);
    expect(text.split("\n").length).toBeGreaterThan(100);
    expect(unmarkedKeys(text)).toEqual([]);
  });

  it("at every parameter of every action", () => {
    const { items } = SECTIONS["scenario"] as { readonly items?: Schema };
    for (const [action, schema] of Object.entries(items!.properties!)) {
      for (const table of tablesOf(schema)) {
        const keys = Object.keys(table).filter((key) => key !== "kind");
        if (keys.length === 0) continue;
        const kind = table["kind"] === undefined ? [] : [`kind = ${JSON.stringify(table["kind"].const)}`];
        const given = [...kind, ...keys.map((key) => `${key} = ${WRONG}`)].join(", ");
        // A sensor can only change in flight if the flight has it.
        const sensors = action === "sensor" ? `[sensors]\n${String(table["kind"]!.const)} = true\n` : "";
        const text = `${sensors}[[scenario]]\nat = "1 s"\n${action} = { ${given} }\n`;
        expect([text, unmarkedKeys(text)]).toEqual([text, []]);
      }
    }
  });

  it("at a misspelled key", () => {
    for (const name of ["timeline", "stop", "outputs"]) {
      for (const key of Object.keys(tablesOf(SECTIONS[name]!)[0]!)) {
        const text = `[${name}]\n${key}x = 1\n`;
        const marked = textDiagnostics(text, resolveText(text, {})).map(({ from, to }) => text.slice(from, to));
        expect([name, marked]).toEqual([name, expect.arrayContaining([`${key}x`])]);
      }
    }
  });
});
