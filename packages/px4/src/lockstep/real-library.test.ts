/**
 * Tests with the real PX4 library: the layouts of every topic, the reference flights flown again, and the default
 * mission. Skipped, with the reason, if PX4_LOCKSTEP_LIB is not set.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { coreRegistry, findBlock, findStream, flyFlightNow, mustResolve, resolveFlight } from "@escapement/core";
import type { PlainObject } from "@escapement/core";
import { beforeEach, describe, expect, it } from "vitest";
import { px4Kinds } from "../kinds.ts";
import type { ReferenceRun } from "../testing/fly-reference.ts";
import type { ReferenceSetup } from "../testing/reference-plant.ts";
import { MessageFolder } from "../uorb/index.ts";
import { loadAbi } from "./abi.ts";
import { flyLockstep } from "./child.ts";
import { findLockstep } from "./discovery.ts";
import { REFERENCE_RATES } from "./rates.ts";
import { LockstepRuntime } from "./runtime.ts";

const hasLibrary = (process.env.PX4_LOCKSTEP_LIB ?? "") !== "";
const FLIGHTS = fileURLToPath(new URL("../../../../tests/fixtures/px4-flights/", import.meta.url));
const PROGRAM = fileURLToPath(new URL("../testing/fly-reference.ts", import.meta.url));
const REFERENCES = ["simple", "rtl", "corners"];

function flyReference(setup: string): ReferenceRun {
  const output = execFileSync(process.execPath, ["--conditions=source", "--import", "tsx", PROGRAM, setup], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return JSON.parse(output.trim().split("\n").at(-1)!) as ReferenceRun;
}

/** Returns the set-up of a reference flight with a regular hexagon of rotors instead of four rotors. */
function withSixRotors(name: string): unknown {
  const setup = JSON.parse(readFileSync(`${FLIGHTS}${name}.json`, "utf8")) as {
    plant: ReferenceSetup["plant"];
    params_set: Record<string, number>;
  };
  const rotors = [30, 90, 150, 210, 270, 330].map((deg, i) => {
    const angle = (deg * Math.PI) / 180;
    const position = [0.25 * Math.cos(angle), 0.25 * Math.sin(angle), 0];
    return { position_frd: position, km: i % 2 === 0 ? 0.05 : -0.05 };
  });
  const params: Record<string, number> = { ...setup.params_set, CA_ROTOR_COUNT: rotors.length };
  rotors.forEach(({ position_frd: [x, y], km }, i) =>
    Object.assign(params, { [`CA_ROTOR${i}_PX`]: x, [`CA_ROTOR${i}_PY`]: y, [`CA_ROTOR${i}_KM`]: km }),
  );
  const { plant } = setup;
  const thrust = (plant.max_thrust_per_rotor_N * plant.rotors.length) / rotors.length;
  return { ...setup, plant: { ...plant, rotors, max_thrust_per_rotor_N: thrust }, params_set: params };
}

function expectedEvents(name: string): string[] {
  const setup = JSON.parse(readFileSync(`${FLIGHTS}${name}.json`, "utf8")) as {
    events: { t: number; event: string; value: unknown }[];
  };
  // Leave out lift-off, which comes from the plant, and the validity of the mission, which this test does not read.
  const ours = setup.events.filter(({ event }) => event !== "liftoff" && event !== "mission_valid");
  return ours.map(({ t, event, value }) => `${t} ${event} ${String(value)}`).sort();
}

/** Returns rows of the reference flight: time, north, east, down. */
function expectedPath(name: string): number[][] {
  const [, ...rows] = readFileSync(`${FLIGHTS}${name}.csv`, "utf8").trim().split("\n");
  return rows.map((row) => row.split(",").slice(0, 4).map(Number));
}

function flyWith(over: PlainObject) {
  const spec = { extends: "mission", ...over };
  return flyLockstep(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry.with(px4Kinds))));
}

describe("the real PX4 library", () => {
  beforeEach(({ skip }) => skip(!hasLibrary, "PX4_LOCKSTEP_LIB is not set"));

  it("has the layout of its message definitions, for every topic", () => {
    const { library, messages } = findLockstep();
    const runtime = new LockstepRuntime({
      abi: loadAbi(library),
      rates: REFERENCE_RATES,
      ...(messages === undefined ? {} : { messages }),
    });
    const topics = messages === undefined ? [] : new MessageFolder(messages).topics;
    for (const topic of topics) expect(runtime.layout(topic).topic).toBe(topic);
    if (messages !== undefined) expect(topics.length).toBeGreaterThan(250);
    runtime.close();
  });

  // The library must be built with CMake's build type RelWithDebInfo, like the one of the reference flights. With more
  // optimisation the library rounds differently: positions then differ by up to a millimetre.
  it.each(REFERENCES)(
    "reproduces the reference flight %s: every event on its tick, positions within the file's rounding",
    (name) => {
      const run = flyReference(`${FLIGHTS}${name}.json`);
      expect(run.events.map(({ t, event, value }) => `${t} ${event} ${String(value)}`).sort()).toEqual(
        expectedEvents(name),
      );
      const flown = new Map(run.path.map(([t, ...pos]) => [Math.round(t! * 1000), pos]));
      let worst = 0;
      for (const [t, ...pos] of expectedPath(name)) {
        const at = flown.get(Math.round(t! * 1000))!;
        pos.forEach((value, i) => (worst = Math.max(worst, Math.abs(value - at[i]!))));
      }
      expect(worst).toBeLessThan(1e-5);
    },
  );

  it("flies a reference flight with six rotors as with four: the vehicle has the same mass, inertia and thrust", () => {
    const folder = mkdtempSync(join(tmpdir(), "escapement-six-"));
    try {
      const path = join(folder, "six.json");
      writeFileSync(path, JSON.stringify(withSixRotors("simple")));
      const [four, six] = [flyReference(`${FLIGHTS}simple.json`), flyReference(path)];
      const items = ({ events }: ReferenceRun) => events.filter(({ event }) => event === "seq_reached");
      expect(items(six).map(({ value }) => value)).toEqual(items(four).map(({ value }) => value));
      items(six).forEach(({ t }, i) => expect(Math.abs(t - items(four)[i]!.t)).toBeLessThan(0.2));
      expect(six.events.some(({ event }) => event === "mission_finished")).toBe(true);
      const apart = six.path.map(([, ...pos], k) =>
        Math.max(...pos.map((value, i) => Math.abs(value - four.path[k]![i + 1]!))),
      );
      expect(Math.max(...apart)).toBeLessThan(1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("flies the default mission from take-off to landing, twice with the same bits", async () => {
    const registry = coreRegistry.with(px4Kinds);
    const spec = { extends: "mission", autopilot: "px4-lockstep" };
    const resolved = mustResolve(resolveFlight({ file: "test", spec }, registry));
    const [first, second] = await Promise.all([flyLockstep(resolved), flyLockstep(resolved)]);
    expect(first.outcome).toBe("completed");
    expect(findStream(first.recording, "missionReached").values.at(-1)).toBe(7);
    expect(findStream(first.recording, "missionFinished").values.at(-1)).toBe(1);
    expect(second.fingerprint).toBe(first.fingerprint);
  });

  const gotos: readonly (readonly [string, PlainObject & { readonly parameters?: PlainObject }])[] = [
    [
      "from a mission and from one position to the next",
      {
        mission: { items: [{ takeoff: { altitudeM: 10 } }, { waypoint: { northM: 60, altitudeM: 10 } }] },
        scenario: [
          { atS: 14, goto: { posNedM: [20, 15, -14], yawDeg: 90 } },
          { atS: 30, goto: { posNedM: [0, 0, -6] } },
        ],
      },
    ],
    [
      "from the ground, but not while disarmed",
      {
        scenario: [
          { atS: 2, goto: { posNedM: [10, 0, -10] } },
          { atS: 3, arm: true },
          { atS: 5, goto: { posNedM: [10, 5, -5] } },
        ],
      },
    ],
    [
      "not out of the fence",
      {
        mission: { items: [{ takeoff: { altitudeM: 10 } }, { waypoint: { northM: 40, altitudeM: 10 } }] },
        parameters: { GF_MAX_HOR_DIST: 50 },
        scenario: [{ atS: 18, goto: { posNedM: [0, 100, -10] } }],
      },
    ],
  ];
  it.each(gotos)(
    "goes to a position as the embedded autopilot does: %s",
    async (_how, { parameters = {}, ...over }) => {
      const spec = { vehicle: "iris", wind: "none", timeline: { endS: 45 }, ...over };
      const registry = coreRegistry.with(px4Kinds);
      const resolved = (kind: string) =>
        mustResolve(resolveFlight({ file: "test", spec: { ...spec, autopilot: { kind, parameters } } }, registry));
      const library = (await flyLockstep(resolved("px4-lockstep"))).recording;
      const embedded = flyFlightNow(resolved("embedded")).recording;
      for (const name of ["navState", "armed"]) {
        expect(findStream(library, name).values.at(-1)).toBe(findStream(embedded, name).values.at(-1));
      }
      const [ours, theirs] = [findStream(embedded, "state").values, findStream(library, "state").values];
      expect(ours.length).toBe(theirs.length);
      const size = embedded.initialState.length;
      const at = findBlock(embedded, "posNed")!.offset;
      let worst = 0;
      for (let row = at; row < ours.length; row += size) {
        for (let i = 0; i < 3; i += 1) worst = Math.max(worst, Math.abs(ours[row + i]! - theirs[row + i]!));
      }
      expect(worst).toBeLessThan(0.5);
    },
  );

  it("flies with a ground station's whole parameter file, lists the parameters that PX4 does not have, and stays armed in the air", async () => {
    const parameters = { MPC_XY_CRUISE: 2, BAT_LOW_THR: 0.2, UXRCE_DDS_KEY: 1, ZZ_NO_SUCH: 1 };
    const scenario = [{ atS: 20, disarm: true }];
    const flight = await flyWith({ autopilot: { kind: "px4-lockstep", parameters }, scenario, timeline: { endS: 30 } });
    expect(flight.extremes.speedMaxMps).toBeLessThan(3);
    expect(flight.events.map(({ kind }) => kind)).toContain("disarmDenied");
    expect(findStream(flight.recording, "armed").values.at(-1)).toBe(1);
    const words = flight.events.flatMap(({ kind, data }) => (kind === "autopilotWarning" ? [data.text] : []));
    expect(words.join()).toMatch(/without effect: .*ZZ_NO_SUCH, which the PX4 library does not have/);
    expect(flight.events.some(({ kind }) => kind === "autopilotMessage")).toBe(true);
  });

  it("reports PX4's reason for rejecting a mission", async () => {
    const items = [{ takeoff: { altitudeM: 10 } }, { waypoint: { northM: 20, altitudeM: 10 } }];
    const autopilot = { kind: "px4-lockstep", parameters: { MIS_TKO_LAND_REQ: 2 } };
    await expect(flyWith({ autopilot, mission: { items } })).rejects.toThrow(/LOCKSTEP-015.*Landing waypoint\/pattern/);
  });

  it("completes and disarms with every module running at every tick, and reports items before a change of speed", async () => {
    const autopilot = { kind: "px4-lockstep", navigatorHz: 0, positionHz: 0 };
    const items = [
      { takeoff: { altitudeM: 5 } },
      { waypoint: { northM: 10, altitudeM: 5 } },
      { speed: { groundMps: 3 } },
      { waypoint: { northM: 20, altitudeM: 5 } },
      { land: true },
    ];
    const flight = await flyWith({ autopilot, mission: { items } });
    expect(flight.outcome).toBe("completed");
    const reached = flight.events.flatMap(({ kind, data }) => (kind === "missionItem" ? [data.index] : []));
    expect(reached).toEqual([0, 1, 2, 3]);
  });
});
