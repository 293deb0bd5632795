/** Every example runs and does what its README says. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  coreRegistry,
  type FlightResult,
  flyFlightNow,
  mustResolve,
  resolveFlight,
  type Verdict,
} from "@escapement/core";
import { FlightFiles } from "../../packages/cli/src/load/flight-files.ts";
import { withCustomParts } from "../../packages/cli/src/load/custom-parts.ts";

const folders = readdirSync("examples").filter((name) => /^\d\d-/.test(name));

/** The expected outcome of each flight file. */
const OUTCOMES: Readonly<Record<string, string>> = {
  "01-hover/flight.toml": "completed",
  "02-mission/flight.toml": "completed",
  "02-mission/from-file.toml": "completed",
  "03-motor-out/flight.toml": "crashed",
  "04-battery-rtl/flight.toml": "completed",
  "05-gust/flight.toml": "completed",
  "06-octa-motor-out/flight.toml": "completed",
  "07-drop/flight.toml": "completed",
  "08-altitude/flight.toml": "completed",
  "09-step/flight.toml": "completed",
  "10-long-hold/flight.toml": "completed",
  "17-own-parts/flight.toml": "completed",
  "19-bisect/bad.toml": "crashed",
  "19-bisect/good.toml": "completed",
  "20-requirements/flight.toml": "completed",
  "21-campaign/small.toml": "time ran out",
  "22-rare-event/flight.toml": "completed",
};
/** Files that describe a built-in flight. They resolve to the same definition, which the golden tests fly. */
const SAME_AS_BUILT_IN: Readonly<Record<string, string>> = {
  "01-hover/flight.toml": "hover",
  "03-motor-out/flight.toml": "motor-out",
  "05-gust/flight.toml": "gust",
  "06-octa-motor-out/flight.toml": "octa-motor-out",
  "07-drop/flight.toml": "drop",
  "08-altitude/flight.toml": "altitude",
  "10-long-hold/flight.toml": "long-hold",
};

async function resolveFile(file: string) {
  const registry = await withCustomParts(
    coreRegistry,
    file.startsWith("17-") ? ["examples/17-own-parts/parts.mjs"] : [],
  );
  return { registry, flight: await new FlightFiles(registry).mustResolve({ name: resolve("examples", file) }) };
}

describe("every example", () => {
  it.each(folders)("%s has a README that explains how to run it", (folder) => {
    const readme = readFileSync(`examples/${folder}/README.md`, "utf8");
    expect(readme).toMatch(/^# /);
    const flown = [...readme.matchAll(/(?:escapement fly|npm run example) (examples\/[^\s;]+)/g)].map(
      ([, path]) => path!,
    );
    expect(flown.length).toBeGreaterThan(0);
    for (const path of flown) expect(existsSync(path), path).toBe(true);
  });

  it("with a flight file has an expected outcome", () => {
    const files = folders.flatMap((folder) =>
      readdirSync(`examples/${folder}`)
        .filter((name) => name.endsWith(".toml") && !name.endsWith(".campaign.toml"))
        .map((name) => `${folder}/${name}`),
    );
    expect(files.sort()).toEqual(Object.keys(OUTCOMES).sort());
  });
});

describe("flight files", () => {
  it.each(Object.entries(SAME_AS_BUILT_IN))("%s equals the built-in %s", async (file, name) => {
    const builtIn = mustResolve(resolveFlight({ file: "test", spec: { extends: name } }, coreRegistry));
    expect((await resolveFile(file)).flight.definition).toEqual(builtIn.definition);
  });

  it.each(Object.entries(OUTCOMES).filter(([file]) => !Object.hasOwn(SAME_AS_BUILT_IN, file)))(
    "%s: %s",
    async (file, outcome) => {
      const { flight, registry } = await resolveFile(file);
      const result = flyFlightNow(flight, registry);
      expect(result.outcome, result.reason).toBe(outcome);
    },
  );
});

describe("scripts", () => {
  let printed = "";
  beforeEach(() => {
    printed = "";
    vi.spyOn(console, "log").mockImplementation((text: string) => void (printed += `${text}\n`));
  });
  afterEach(() => void vi.restoreAllMocks());

  /** Runs a script, and checks that it prints the lines that its README shows. */
  async function load(folder: string): Promise<Record<string, never>> {
    const module = (await import(`../../examples/${folder}/run.ts`)) as Record<string, never>;
    const [, shown = ""] = /```text\n([^]*?)```/.exec(readFileSync(`examples/${folder}/README.md`, "utf8")) ?? [];
    expect(printed).toContain(shown);
    return module;
  }

  it("08-altitude: thinner air takes more power", async () => {
    const { rows } = (await load("08-altitude")) as unknown as { rows: { outcome: string; powerW: number }[] };
    expect(rows.map(({ outcome }) => outcome)).toEqual(Array(4).fill("completed"));
    for (let i = 1; i < 4; i += 1) expect(rows[i]!.powerW).toBeGreaterThan(rows[i - 1]!.powerW);
  });

  it("11-own-wind: flies through the thermal and lands", async () => {
    const { flight } = (await load("11-own-wind")) as unknown as {
      flight: { outcome: string; extremes: { windMaxMps: number }; resolved: { definition: { wind: object } } };
    };
    expect(flight.outcome).toBe("completed");
    expect(flight.extremes.windMaxMps).toBeGreaterThan(3);
    expect(flight.resolved.definition.wind).toMatchObject({
      kind: "thermal",
      version: 1,
      params: { upMps: 4, radiusM: 8 },
    });
  });

  it("12-own-plant: lands at the place and time computed by a reference with a fine step", async () => {
    const { end, reachM } = (await load("12-own-plant")) as unknown as {
      end: { endUs: number; stop: number };
      reachM: number;
    };
    const [time, reach] = thrownBall();
    expect(end.stop).toBe(1);
    expect(Math.abs(end.endUs / 1e6 - time)).toBeLessThan(3e-6);
    expect(Math.abs(reachM - reach)).toBeLessThan(3e-5);
  });

  it("13-own-autopilot: holds five metres, and its definition marks the autopilot as not reproducible", async () => {
    const { flight } = (await load("13-own-autopilot")) as unknown as {
      flight: {
        outcome: string;
        signal(name: string): { at(time: string): Float64Array };
        resolved: { definition: { autopilot: { kind: string } } };
      };
    };
    expect(flight.outcome).toBe("completed");
    expect(Math.abs(-flight.signal("posNed").at("20 s")[2]! - 5)).toBeLessThan(0.3);
    expect(flight.resolved.definition.autopilot.kind).toBe("function");
    const lines = readFileSync("examples/13-own-autopilot/run.ts", "utf8")
      .split("const level")[1]!
      .split("\n};")[0]!
      .split("\n");
    expect(lines.length).toBeLessThanOrEqual(20);
  });

  it("14-own-probe: measures the estimator's own error, and changes nothing", async () => {
    const { rmsM, flight } = (await load("14-own-probe")) as unknown as {
      rmsM: number;
      flight: { fingerprint: string };
    };
    // The default position error has standard deviations of 0.15, 0.15 and 0.19 m, together 0.28 m.
    expect(rmsM).toBeGreaterThan(0.05);
    expect(rmsM).toBeLessThan(0.8);
    const plain = flyFlightNow(
      mustResolve(resolveFlight({ file: "test", spec: { extends: "mission", timeline: { endS: 30 } } }, coreRegistry)),
    );
    expect(flight.fingerprint).toBe(plain.fingerprint);
  });

  it("15-own-sink: prints one line per second, in fifteen lines of code", async () => {
    const { sink } = (await load("15-own-sink")) as unknown as { sink: { lines: string[] } };
    expect(sink.lines).toHaveLength(11);
    expect(sink.lines[10]).toMatch(/^10 s {2}\d+\.\d\d m {2}\d+\.\d\d V$/);
  });

  it("20-requirements: the flight meets every requirement except the warning", async () => {
    const { flight, afterwards } = (await load("20-requirements")) as unknown as {
      flight: FlightResult;
      afterwards: Verdict;
    };
    expect(flight.verdicts.map(({ verdict, severity }) => [verdict, severity])).toEqual([
      ["holds", "error"],
      ["holds", "error"],
      ["holds", "error"],
      ["violated", "warning"],
      ["holds", "error"],
    ]);
    expect(afterwards.verdict).toBe("violated");
  });

  it("18-recordings: reads its files back by name, and replays them", async () => {
    const example = (await load("18-recordings")) as unknown as {
      highestM: number;
      attitude: { size: number; timesUs: Float64Array };
      windMps: { values: Float64Array };
      reproduces: boolean;
      offM: number;
    };
    expect(example.reproduces).toBe(true);
    expect(example.highestM).toBeGreaterThan(7);
    expect([example.attitude.size, example.attitude.timesUs.length]).toEqual([4, 601]);
    expect(example.windMps.values).toHaveLength(3 * 601);
    expect(example.offM).toBeGreaterThan(0.01);
    expect(example.offM).toBeLessThan(5);
  });

  it("21-campaign: flies from a program, judges, and flies a flight again", async () => {
    const { result } = (await load("21-campaign")) as unknown as { result: { verdict: string } };
    expect(result.verdict).toBe("met");
  });

  it("16-stepping: hovers to the end", async () => {
    const { result, reward } = (await load("16-stepping")) as unknown as {
      result: { outcome: string };
      reward: number;
    };
    expect(result.outcome).toBe("completed");
    expect(reward).toBeGreaterThan(-0.5);
  });
});

/** Flies the ball of 12-own-plant with midpoint steps of 10 µs; returns seconds and metres. */
function thrownBall(): [number, number] {
  const h = 1e-5;
  let [n, d, vn, vd, t] = [0, -1.8, 15, -15, 0];
  for (;;) {
    const acc = (un: number, ud: number) => {
      const drag = 0.02 * Math.hypot(un + 6, ud);
      return [-drag * (un + 6), 9.81 - drag * ud] as const;
    };
    const [an, ad] = acc(vn, vd);
    const [bn, bd] = acc(vn + (h / 2) * an, vd + (h / 2) * ad);
    const next = d + h * (vd + (h / 2) * ad);
    if (next >= 0) {
      const share = -d / (next - d);
      return [t + share * h, n + share * h * vn];
    }
    n += h * (vn + (h / 2) * an);
    d = next;
    vn += h * bn;
    vd += h * bd;
    t += h;
  }
}
