/**
 * Flies a reference flight again with the available library: `fly-reference.ts <set-up.json>` prints events and
 * positions as JSON. It is a separate program because the library can fly only once per process.
 */
import { readFileSync } from "node:fs";
import type { Mission, MissionItem } from "@escapement/core";
import { loadAbi } from "../lockstep/abi.ts";
import { findLockstep } from "../lockstep/discovery.ts";
import { LockstepDriver } from "../lockstep/driver.ts";
import { loadMission } from "../lockstep/mission.ts";
import { REFERENCE_RATES } from "../lockstep/rates.ts";
import { LockstepRuntime } from "../lockstep/runtime.ts";
import { ReferencePlant } from "./reference-plant.ts";
import type { ReferenceSetup } from "./reference-plant.ts";

interface Setup extends ReferenceSetup {
  readonly home: { readonly lat: number; readonly lon: number; readonly alt_amsl: number };
  readonly timing: { readonly return_mode_t: number | null; readonly end_t: number };
  readonly params_set: Readonly<Record<string, number>>;
  readonly mission: readonly {
    readonly command: number;
    readonly p1: number;
    readonly p2: number;
    readonly p3: number;
    readonly p4: number | null;
    readonly lat: number;
    readonly lon: number;
    readonly alt: number;
    readonly stored_acceptance_radius: number;
  }[];
}

export interface ReferenceRun {
  readonly events: { readonly t: number; readonly event: string; readonly value: number | boolean }[];
  /** t, n, e, d at every tick. */
  readonly path: number[][];
  readonly motorHash: number;
  readonly usPerTick: number;
}

function missionOf(setup: Setup): Mission {
  const items = setup.mission.map((item): MissionItem => ({
    command: item.command,
    frame: "relative",
    p1: item.p1,
    p2: item.p2,
    p3: item.p3,
    p4: item.p4 ?? Number.NaN,
    latDeg: item.lat,
    lonDeg: item.lon,
    altM: item.alt,
    autoContinue: true,
  }));
  return { items };
}

function fly(setup: Setup): ReferenceRun {
  const paths = findLockstep();
  const abi = loadAbi(paths.library);
  const runtime = new LockstepRuntime({
    abi,
    rates: REFERENCE_RATES,
    ...(paths.messages === undefined ? {} : { messages: paths.messages }),
  });
  for (const [name, value] of Object.entries(setup.params_set)) runtime.setParameter(name, value);
  runtime.applyParameters();
  const origin = { latDeg: setup.home.lat, lonDeg: setup.home.lon, altM: setup.home.alt_amsl };
  const plant = new ReferencePlant(setup);
  // With a 4 ms step, the limiter turns the navigator's 20 Hz into 52 ms and position control's 100 Hz into 12 ms.
  const ticks = { navigatorTicks: 13, positionTicks: 3, flightTaskTicks: 1 };
  const driver = new LockstepDriver({ runtime, origin, batteries: 1, estimate: plant.estimate, ...ticks });
  const missionResult = runtime.subscriber("mission_result");
  const { inputs } = driver;
  inputs.batteryVolts[0] = 12.3;
  inputs.batteryRemaining[0] = 0.9;
  // Items with a stored radius of 1 m were loaded by the library's own reader.
  const route = setup.mission[0]!.stored_acceptance_radius === 1 ? "reader" : "exact";
  const run: ReferenceRun & { motorHash: number; usPerTick: number } = {
    events: [],
    path: [],
    motorHash: 0x811c9dc5,
    usPerTick: 0,
  };
  const last = new Map<string, number | boolean>();
  const timeUs = new Float64Array(1);
  const rotors = setup.plant.rotors.length;
  const command = new Float64Array(rotors);
  const count = Math.round(setup.timing.end_t / 0.004);
  let isLanded = true;
  let restingTicks = 0;
  let spentMs = 0;
  for (let k = 1; k <= count; k += 1) {
    const t = (4 * k) / 1000;
    const addEvent = (event: string, value: number | boolean): void => {
      if (last.get(event) === value) return;
      last.set(event, value);
      run.events.push({ t, event, value });
    };
    timeUs[0] = 4000 * k;
    inputs.armed = t >= 1;
    const { return_mode_t: returnAt } = setup.timing;
    inputs.navState = returnAt !== null && t >= returnAt ? 5 : t >= 2 ? 3 : 0;
    inputs.groundContact = inputs.maybeLanded = inputs.landed = isLanded;
    addEvent("nav_state", inputs.navState);
    addEvent("landed_flag", isLanded);
    const before = performance.now();
    driver.tick(timeUs);
    spentMs += performance.now() - before;
    if (k === 1) loadMission(runtime, abi, missionOf(setup), route);
    const { motors, takeoffStatus } = driver;
    motors.read();
    for (let i = 0; i < rotors; i += 1) {
      const value = motors.message.f32(motors.message.at.control, i);
      command[i] = Number.isNaN(value) || !inputs.armed ? 0 : value;
      run.motorHash = Math.imul(run.motorHash ^ Math.round(command[i]! * 1e9), 0x01000193) >>> 0;
    }
    if (takeoffStatus.read())
      addEvent("takeoff_state", takeoffStatus.message.u8(takeoffStatus.message.at.takeoff_state));
    if (missionResult.read()) {
      const { message } = missionResult;
      addEvent("mission_seq", message.u16(message.at.seq_current));
      addEvent("seq_reached", message.i32(message.at.seq_reached));
      const isLastItem = message.u16(message.at.seq_current) === message.u16(message.at.seq_total) - 1;
      if (message.u8(message.at.finished) === 1 && isLastItem) addEvent("mission_finished", true);
    }
    run.path.push([t, ...plant.pos]);
    plant.advance(command);
    const onGround = plant.pos[2]! > -0.02 && Math.abs(plant.vel[2]!) < 0.2;
    restingTicks = onGround ? restingTicks + 1 : 0;
    isLanded = t < 2.5 ? onGround : t <= 20 ? false : restingTicks > 75;
  }
  run.usPerTick = (spentMs * 1000) / count;
  runtime.close();
  return run;
}

const setup = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Setup;
process.stdout.write(`\n${JSON.stringify(fly(setup))}\n`);
