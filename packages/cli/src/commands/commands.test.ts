/**
 * All commands: help with two examples each, a correct overview, and a schema and completion made from the same tables.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv";
import { Command } from "commander";
import { parse } from "smol-toml";
import { beforeAll, describe, expect, it } from "vitest";
import { coreRegistry, flightSchema, type PlainObject } from "@escapement/core";
import { brokenFlights } from "../../../../tests/flights/broken-flights.ts";
import { bashScript, fishScript, type CommandCompletions, zshScript } from "../print/completion-scripts.ts";
import { registry } from "../registry.ts";
import { completionsOf } from "./completion.ts";
import { firstText, keyDifferences } from "./diff.ts";
import { addCommands, COMMANDS } from "./index.ts";
import { flightTemplate } from "./init.ts";

let program: Command;
let completions: readonly CommandCompletions[];
beforeAll(async () => {
  program = new Command("escapement");
  for (const { load } of Object.values(COMMANDS)) (await load())(program);
  completions = await completionsOf();
});

function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

describe("every command", () => {
  it.each(Object.keys(COMMANDS))(
    "%s: has the description of the overview, and two examples that can be pasted and fit 80 columns",
    (name) => {
      const command = program.commands.find((candidate) => candidate.name() === name)!;
      expect(command.description()).toBe(COMMANDS[name]!.about);
      const examples = helpOf(command).split("Examples:\n")[1]?.trimEnd().split("\n") ?? [];
      expect(examples.length).toBeGreaterThanOrEqual(2);
      for (const line of examples) expect(line).toMatch(/^(?=.*escapement ).{1,80}$/);
    },
  );

  it.each(Object.keys(COMMANDS))("%s: its examples use its own flags and no more arguments than it takes", (name) => {
    const command = program.commands.find((candidate) => candidate.name() === name)!;
    for (const line of helpOf(command).split("Examples:\n")[1]!.trim().split("\n")) {
      // Each run of the command in the line, up to a pipe, a redirection or the end of a substitution.
      for (const [, run] of line.matchAll(/escapement ((?:'[^']*'|"[^"]*"|[^|>)&;'"])*)/g)) {
        const [named, ...args] = run!.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)!;
        if (named !== name) continue;
        const sub = command.commands.find((candidate) => candidate.name() === args[0]);
        const { operands, unknown } = (sub ?? command).parseOptions(sub === undefined ? args : args.slice(1));
        expect(unknown, line).toEqual([]);
        const taken = (sub ?? command).registeredArguments;
        const most = taken.some(({ variadic }) => variadic) ? Infinity : taken.length;
        expect(operands.length, line).toBeLessThanOrEqual(most);
        expect(operands.length, line).toBeGreaterThanOrEqual(taken.filter(({ required }) => required).length);
      }
    }
  });

  it.each(Object.keys(COMMANDS))("%s: has --json", (name) => {
    const command = program.commands.find((candidate) => candidate.name() === name)!;
    expect(command.options.map(({ long }) => long)).toContain("--json");
  });
});

describe("help", () => {
  it.each(Object.keys(COMMANDS))("%s: shows no empty default", async (name) => {
    const alone = new Command("escapement");
    await addCommands(alone, name);
    const text = helpOf(alone.commands[0]!);
    expect(text).not.toContain("[])");
    if (name === "compare") expect(text).toContain("(default:");
  });

  it("of `schema` says where a flight file names its schema, and the template of `init` names it in that place", async () => {
    const schema = program.commands.find((command) => command.name() === "schema")!;
    expect(helpOf(schema)).toContain("above its first key: #:schema ./flight.schema.json");
    const lines = flightTemplate("flight").split("\n");
    const at = lines.indexOf("#:schema ./flight.schema.json");
    expect(at).toBeGreaterThanOrEqual(0);
    expect(lines.slice(0, at).filter((line) => !line.startsWith("#"))).toEqual([]);
  });
});

describe("diff", () => {
  const found = { tUs: 1_500_000, boundary: 375, stage: "wind", signal: "windBaseNed", component: 1 } as const;

  it("prints the distance in ulps only if it is small", () => {
    expect(firstText({ ...found, a: 1, b: 1 + 2 ** -52, ulps: 1 }, "a", "bb")).toBe(
      "first difference at 1.500000 s, boundary 375, in wind: windBaseNed.e\n  a   1\n  bb  1.0000000000000002\n  1 ulp apart",
    );
    expect(firstText({ ...found, a: 1, b: 0, ulps: 4607182418800017408 }, "a", "b")).toBe(
      "first difference at 1.500000 s, boundary 375, in wind: windBaseNed.e\n  a  1\n  b  0",
    );
  });

  it("numbers motors from 1, like files and requirements", () => {
    const motor = {
      ...found,
      stage: "scenario",
      signal: "motorGain",
      component: 1,
      a: 1,
      b: 0.5,
      ulps: 2 ** 52,
    } as const;
    expect(firstText(motor, "a", "b")).toContain("in scenario: motorGain[2]\n");
    expect(firstText({ ...motor, stage: "plant", signal: "rotorSpeed" }, "a", "b")).toContain(
      "in plant: rotorSpeed[2]\n",
    );
    expect(firstText({ ...motor, signal: "navState", component: 0 }, "a", "b")).toContain("in scenario: navState\n");
  });

  it("lists the keys of two descriptions that differ", () => {
    const a = { seed: 1, wind: { kind: "ou", params: { tauS: 3 } }, scenario: [{ at: 1 }], list: [1, 2] };
    const b = {
      seed: 2,
      wind: { kind: "ou", params: { tauS: 3, more: 1 } },
      scenario: [{ at: 1 }, { at: 2 }],
      list: [1],
    };
    expect(keyDifferences(a, b)).toEqual([
      { key: "seed", a: 1, b: 2 },
      { key: "wind.params.more", a: undefined, b: 1 },
      { key: "scenario[1]", a: undefined, b: { at: 2 } },
      { key: "list", a: [1, 2], b: [1] },
    ]);
    expect(keyDifferences(a, a)).toEqual([]);
  });

  it("names the dimension in which two vehicles differ", () => {
    const rotors = {
      tUs: 0,
      boundary: 0,
      stage: "vehicle",
      signal: "rotors",
      component: 0,
      a: 4,
      b: 6,
      ulps: 1,
    } as const;
    expect(firstText(rotors, "a", "b")).toBe(
      "first difference at 0.000000 s, boundary 0, in vehicle: rotors\n  a  4\n  b  6",
    );
  });
});

describe("the schema", () => {
  const validate = new Ajv({ strict: false, allErrors: true }).compile(flightSchema(registry));
  const isValid = (spec: unknown) => ({ valid: validate(spec), errors: validate.errors?.slice(0, 3) });

  it("accepts every built-in flight and the flight file of init", () => {
    for (const [name, spec] of Object.entries(coreRegistry.flights))
      expect(isValid(JSON.parse(JSON.stringify(spec))), name).toMatchObject({ valid: true });
    expect(isValid(parse(flightTemplate("flight")))).toMatchObject({ valid: true });
  });

  it.each<PlainObject>([
    { vehicle: "iris", wind: { kind: "dryden" }, scenario: [{ at: "5 s", forS: 2, gust: { velNedMps: [1, 0, 0] } }] },
    { mission: { items: [{ takeoff: { altitudeM: 5 } }, { waypoint: { northM: 3, altitudeM: 5 } }, { land: true }] } },
    {
      autopilot: { kind: "embedded", parameters: { MPC_XY_CRUISE: 4 } },
      sensors: { imu: true },
      outputs: { logs: [{ file: "a.csv" }] },
    },
  ])("accepts %j", (spec) => {
    expect(isValid(spec)).toMatchObject({ valid: true });
  });

  it("rejects what the tables reject: types, ranges, keys and choices of the broken flights", () => {
    const codes = ["FLIGHT-002", "FLIGHT-004", "FLIGHT-005", "FLIGHT-006", "FLIGHT-007", "FLIGHT-008", "FLIGHT-010"];
    const refused = brokenFlights.filter(
      ({ toml, files, errors }) =>
        toml !== undefined &&
        files === undefined &&
        errors.every(({ code, key }) => codes.includes(code) && !/^timeline\.endS$|columns/.test(key ?? "")),
    );
    const passed = refused.filter(({ toml }) => validate(parse(toml!))).map(({ name }) => name);
    expect(refused.length).toBeGreaterThan(25);
    expect(passed).toEqual([]);
  });
});

describe("completion", () => {
  it("offers every command and flag, flights and keys", () => {
    expect(completions.map(({ name }) => name)).toEqual(Object.keys(COMMANDS));
    const fly = completions.find(({ name }) => name === "fly")!;
    expect(fly.words).toEqual(expect.arrayContaining(["mission", "hover", "octa"]));
    expect(fly.flags.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["--set", "--seed", "--log", "--pace", "--json"]),
    );
    expect(fly.flags.find(({ name }) => name === "--set")!.values).toEqual(
      expect.arrayContaining([
        "seed=",
        "wind.kind=",
        "wind.kind=dryden",
        "vehicle.massKg=",
        "vehicle=x500",
        "autopilot.parameters.MPC_XY_CRUISE=",
      ]),
    );
  });

  const completed = (words: readonly string[]) => {
    const script = `${bashScript(completions)}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})\nCOMP_CWORD=${words.length - 1}\n_escapement\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr, status } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    expect([stderr, status]).toEqual(["", 0]);
    return stdout.trim().split("\n");
  };
  const has = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;

  it("works in bash", ({ skip }) => {
    if (!has("bash")) skip("bash is not installed");
    expect(completed(["escapement", "fl"])).toEqual(["fly"]);
    expect(completed(["escapement", "fly", "octa-"])).toContain("octa-motor-out");
    expect(completed(["escapement", "fly", "--se"])).toEqual(expect.arrayContaining(["--set", "--seed"]));
    expect(completed(["escapement", "fly", "--set", "wind.kind"])).toContain("wind.kind=");
    expect(completed(["escapement", "fly", "--set", "wind.kind", "=", "dry"])).toEqual(["dryden"]);
    expect(completed(["escapement", "fly", "--set", "autopilot.parameters.MPC_XY_CRU"])).toEqual([
      "autopilot.parameters.MPC_XY_CRUISE=",
    ]);
    expect(completed(["escapement", "fly", "--autopilot", "emb"])).toEqual(["embedded"]);
    expect(completed(["escapement", "explain", "FLIGHT-01"])).toContain("FLIGHT-012");
    expect(completed(["escapement", "list", "vehicles", "x5"])).toEqual(["x500"]);
    expect(completed(["escapement", "list", "parameters", "MPC_XY_CR"])).toEqual(["MPC_XY_CRUISE"]);
    expect(completed(["escapement", "list", "vehicles", ""])).not.toContain("dryden");
    expect(completed(["escapement", "list", "wi"])).toContain("winds");
  });

  /** Command lines, and a completion that every shell must offer for each. */
  const LINES: readonly (readonly [line: string, offered: string])[] = [
    ["escapement fl", "fly"],
    ["escapement fly octa-", "octa-motor-out"],
    ["escapement fly --set wind.kind=dr", "wind.kind=dryden"],
    ["escapement list vehicles x5", "x500"],
    ["escapement list parameters MPC_XY_CR", "MPC_XY_CRUISE"],
  ];

  /** Runs `use` with the path of the script and of a folder for its output. */
  const withScript = <T>(text: string, use: (script: string, folder: string) => T): T => {
    const folder = mkdtempSync(join(tmpdir(), "escapement-completion-"));
    try {
      const script = join(folder, "_escapement");
      writeFileSync(script, text);
      return use(script, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it.for(LINES)("works in zsh: %s", ([line, offered], { skip }) => {
    if (!has("zsh")) skip("zsh is not installed (Debian: zsh)");
    const complete = fileURLToPath(new URL("../../../../tests/support/zsh-complete.zsh", import.meta.url));
    withScript(zshScript(completions), (script, folder) => {
      const candidates = join(folder, "candidates");
      expect(spawnSync("zsh", ["-f", complete, script, line, candidates]).status).toBe(0);
      expect(readFileSync(candidates, "utf8").trim().split("\n")).toContain(offered);
    });
  });

  it("completes at the first key press in zsh, at which zsh loads the script", ({ skip }) => {
    if (!has("zsh")) skip("zsh is not installed (Debian: zsh)");
    withScript(zshScript(completions), (_script, folder) => {
      const program = [
        `fpath=(${folder} $fpath)`,
        "compdef() { :; }",
        "_describe() { print -l ${(P)2} }",
        "autoload -Uz _escapement",
        "words=(escapement f) CURRENT=2",
        "_escapement",
      ].join("\n");
      const { stdout } = spawnSync("zsh", ["-f", "-c", program], { encoding: "utf8" });
      expect(stdout).toContain("fly:fly a flight");
    });
  });

  it.for(LINES)("works in fish: %s", ([line, offered], { skip }) => {
    if (!has("fish")) skip("fish is not installed (Debian: fish)");
    withScript(fishScript(completions), (script) => {
      const program = `source ${script}; complete -C '${line}'`;
      const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", program], { encoding: "utf8" });
      expect(stderr).toBe("");
      expect(stdout.split("\n").map((candidate) => candidate.split("\t")[0])).toContain(offered);
    });
  });

  it("closes every quote", () => {
    for (const script of [bashScript(completions), zshScript(completions), fishScript(completions)]) {
      expect((script.replace(/\\'/g, "").match(/'/g) ?? []).length % 2).toBe(0);
      expect(script).not.toContain("undefined");
    }
  });
});

describe("init", () => {
  it("writes a file in which every commented-out line is valid", () => {
    const text = flightTemplate("gusty");
    expect(text).toContain('name = "gusty"');
    for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
    const opened = text
      .split("\n")
      .map((line) => line.replace(/^# /, ""))
      .join("\n");
    const keys = parse(opened) as Record<string, PlainObject>;
    expect(Object.keys(keys)).toEqual(
      expect.arrayContaining([
        "extends",
        "seed",
        "timeline",
        "wind",
        "integrator",
        "estimator",
        "mission",
        "stop",
        "outputs",
        "scenario",
      ]),
    );
  });
});
