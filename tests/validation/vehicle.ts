/** Rows of the vehicle: agreement with the reference's golden numbers, propulsion, power, rigid body, contact. */
import { readFileSync } from "node:fs";
import { airInto } from "../../packages/core/src/multirotor/equations/air/air.ts";
import { firstOrderStep, secondOrderStepInto } from "../support/exact-actuators.ts";
import { momentumRotorsInto } from "../../packages/core/src/multirotor/equations/rotors/momentum.ts";
import { demand, solve } from "../support/circuit.ts";
import { integrator, referenceEnvironment, type Rig, rig, uniformAir } from "../support/plant.ts";
import { irisPower, LIU, measuredIrisPower } from "./forward-flight.ts";
import type { ValidationRow } from "./row.ts";

const PARITY = "golden numbers of the reference simulator (iris-reference, level reference)";

export function vehicleRows(): ValidationRow[] {
  return [
    ...calibration(),
    ...trim(),
    ...rightHandSide(),
    ...openLoop(),
    ...circuits(),
    ...actuators(),
    ...momentumTheory(),
    ...vortexRing(),
    ...descentThrust(),
    ...multirotorGround(),
    ...ceiling(),
    ...propeller(),
    ...iris(),
    ...changed(),
  ];
}

/** Makes a row with a relative tolerance of 1e-12, or half a unit of the last digit if fewer digits were printed. */
function parity(
  area: string,
  quantity: string,
  published: number,
  ours: number,
  unit: string,
  digits = 16,
): ValidationRow {
  const size = Math.abs(published);
  const last = 0.501 * 10 ** (Math.floor(Math.log10(size)) + 1 - digits);
  return {
    area,
    quantity,
    source: PARITY,
    basis: "simulator",
    published,
    ours,
    tolerance: Math.max(1e-12 * size, last),
    unit,
  };
}

const free = { contact: { enabled: false } };

function calibration(): ValidationRow[] {
  const kT = (gravityMps2: number, massKg: number) =>
    rig("iris-reference", { massKg }, referenceEnvironment({ gravityMps2 })).plant.constants.rotors[0]!.reference
      .thrust;
  const unit = "N/(kg/m3.(rad/s)2)";
  return [
    parity("Propulsion, parity", "thrust coefficient of the iris", 6.611020796089119e-5, kT(9.80665, 1.5), unit),
    parity(
      "Propulsion, parity",
      "thrust coefficient for 2.4516625 N per rotor",
      1.171630426366227e-5,
      kT(9.80665, 1),
      unit,
    ),
    parity(
      "Propulsion, parity",
      "thrust coefficient of the iris at 3.71 m/s2",
      3.301765305252956e-6,
      kT(3.71, 1.5),
      unit,
    ),
  ];
}

function trim(): ValidationRow[] {
  const area = "Hover trim, parity";
  const home = rig("iris-reference").plant.trim();
  const sea = rig("iris-reference", {}, referenceEnvironment({ altMslM: 0 })).plant.trim();
  return [
    parity(area, "rotor speed at 488 m", 218.1741466651634, home.rotors[0]!.speedRadS, "rad/s"),
    parity(area, "duty at 488 m", 0.5845980359197622, home.rotors[0]!.duty, "1"),
    parity(area, "bus voltage at 488 m", 11.7239655, home.buses[0]!.voltageV, "V", 9),
    parity(area, "bus current at 488 m", 43.8017, home.buses[0]!.currentA, "A", 6),
    parity(area, "electrical power at 488 m", 513.53, home.powerW, "W", 5),
    parity(area, "rotor speed at sea level", 213.0951976, sea.rotors[0]!.speedRadS, "rad/s", 10),
    parity(area, "duty at sea level", 0.5797165875, sea.rotors[0]!.duty, "1", 10),
    parity(area, "rotor speed at full duty, 488 m", 277.484, home.full.rotors[0]!.speedRadS, "rad/s", 6),
    parity(area, "thrust per rotor at full duty, 488 m", 5.94869, home.full.rotors[0]!.thrustN, "N", 6),
    parity(area, "bus current at full duty, 488 m", 119.63, home.full.buses[0]!.currentA, "A", 5),
  ];
}

function rightHandSide(): ValidationRow[] {
  const area = "Right-hand side, parity";
  const q = [0.98, 0.05, -0.08, 0.15];
  const length = Math.sqrt(q.reduce((sum, part) => sum + part * part, 0));
  const flown = rig("iris-reference", free)
    .set({
      posNed: [10, -5, -30],
      velNed: [3, -2, -1],
      qBodyToNed: q.map((part) => part / length),
      rateBody: [0.3, -0.2, 0.5],
    })
    .set({
      motorOutput: [0.55, 0.6, 0.65, 0.5],
      rotorSpeed: [210, 215, 220, 205],
      batterySoc: [0.8],
      batteryV1: [0.05],
    })
    .input({ windNed: [4, 1, -0.5] });
  const published: Record<string, [unit: string, values: number[]]> = {
    velNed: ["m/s2", [1.36047501128456, 1.24182852404831, 0.707406974674448]],
    qBodyToNed: ["1/s", [-0.0532186455930421, 0.142585805173811, -0.0883630341922208, 0.253039597914087]],
    rateBody: ["rad/s2", [4.75292233750801, 1.97476433018195, -0.0905387052965132]],
    rotorSpeed: ["rad/s2", [-620.755536161861, 483.117567560005, 1570.94200399364, -1740.67730717208]],
    batterySoc: ["1/s", [-0.00228757444918697]],
    batteryV1: ["V/s", [0.0180881700426827]],
  };
  const rows = Object.keys(published).flatMap((name) => {
    const [unit, values] = published[name]!;
    const ours = flown.rate(name);
    return values.map((value, i) => parity(area, `derivative of ${name}[${i + 1}]`, value, ours[i]!, unit, 15));
  });
  const y = flown.outputs();
  return [
    ...rows,
    parity(area, "air density", 1.1652300810180631, y.airDensity[0]!, "kg/m3"),
    parity(area, "bus voltage", 11.366473198292692, y.busVoltage[0]!, "V"),
    parity(area, "bus current", 41.1763400853654, y.busCurrent[0]!, "A", 15),
  ];
}

function openLoop(): ValidationRow[] {
  const area = "Open loop, 50 ms of RK4 on 2 ms, parity";
  const flown = rig("iris-reference", free)
    .set({ posNed: [0, 0, -10], motorOutput: [0.55, 0.55, 0.55, 0.55] })
    .input({ windNed: [5, 0, 0] });
  flown.fly(integrator("rk4", flown.plant, flown.u), { us: 2000, steps: 25 });
  return [
    parity(area, "north", 2.08217640801831e-4, flown.get("posNed")[0]!, "m", 15),
    parity(area, "down", -9.9949537222869, flown.get("posNed")[2]!, "m", 15),
    parity(area, "velocity north", 8.32639274530661e-3, flown.get("velNed")[0]!, "m/s", 15),
    parity(area, "velocity down", 0.13217821600812, flown.get("velNed")[2]!, "m/s", 15),
    parity(area, "rotor speed", 211.243374752145, flown.get("rotorSpeed")[0]!, "rad/s", 15),
    parity(area, "state of charge", 0.999884934177224, flown.get("batterySoc")[0]!, "1", 15),
    parity(area, "polarisation", 1.03423695007727e-3, flown.get("batteryV1")[0]!, "V", 15),
  ];
}

function circuits(): ValidationRow[] {
  const area = "Bus solve, parity";
  const four = (speed: number, duty: number, max = 60) => Array.from({ length: 4 }, () => ({ speed, duty, max }));
  const volts = (quantity: string, published: number, circuit: Parameters<typeof solve>[0]) =>
    parity(area, quantity, published, solve(circuit).volts, "V", 15);
  const mixed = [0.9, 0.5, 0.3, 0.8].map((duty, i) => ({ duty, speed: 200 * i }));
  const cycle = {
    motors: [
      { speed: 750, duty: 1, ohm: 0.09, max: 24 },
      { speed: 1400, duty: 0.6, ohm: 0.1, max: 24 },
    ],
    packs: [{ volts: 16, ohm: 0.44 }],
  };
  return [
    volts("bus voltage, four motors within their limits", 10.8162600068354, {
      motors: four(100, 0.5),
      packs: [{ volts: 12.6, ohm: 0.05 }],
    }),
    volts("bus voltage, stalled at duty 0.2", 15.4940711462451, {
      motors: four(0, 0.2),
      packs: [{ volts: 16, ohm: 0.05 }],
    }),
    volts("bus voltage, stalled at duty 0.4", 14.1516245487365, {
      motors: four(0, 0.4),
      packs: [{ volts: 16, ohm: 0.05 }],
    }),
    volts("bus voltage, saturated at 5 A", 12.1918367346939, {
      motors: four(0, 1, 5),
      packs: [{ volts: 12.6, ohm: 0.02 }],
    }),
    volts("bus voltage, motors in four regimes", 12.79094071469, { motors: mixed, packs: [{ volts: 16, ohm: 0.05 }] }),
    volts("bus voltage, case in which the reference cycles", 9.156552757559568, cycle),
    parity(
      area,
      "bus current, case in which the reference cycles",
      15.55328918736461,
      demand(cycle, solve(cycle).volts),
      "A",
      15,
    ),
  ];
}

function actuators(): ValidationRow[] {
  const state = new Float64Array(2);
  secondOrderStepInto(state, { command: 1, dtS: 0.1, naturalRadS: 30, damping: 0.7 });
  return [
    parity("Actuators", "second-order actuator, 0.1 s after a unit step", 0.9653009801, state[0]!, "1", 10),
    {
      area: "Actuators",
      quantity: "first-order actuator, one time constant after a unit step",
      source: "1 − 1/e",
      basis: "theory",
      published: 0.6321205588285577,
      ours: firstOrderStep(0, { command: 1, dtS: 0.05, tauS: 0.05 }),
      tolerance: 1e-15,
      unit: "1",
    },
  ];
}

const RHO = 1.225;
const RADIUS = 0.127;
const AREA = Math.PI * RADIUS * RADIUS;

function blade(changes: object = {}): Rig {
  const environment = referenceEnvironment({ atmosphere: uniformAir(RHO) });
  return rig("iris", { propulsion: { momentum: changes }, ...free }, environment);
}

function evaluate(
  flown: Rig,
  speed: number,
  climb: number,
  height = 1e6,
): { thrust: number; torque: number; induced: number } {
  flown.set({ posNed: [0, 0, -30], velNed: [0, 0, -climb], rotorSpeed: [speed, speed, speed, speed] });
  const { w, x, u, vehicle } = flown.views();
  airInto(w, x, u, vehicle);
  x.posNed[2] = -height;
  momentumRotorsInto(w, x, u, vehicle);
  return { thrust: w.thrust[0]!, torque: w.torque[0]!, induced: w.inducedVelocity[0]! };
}

function momentumTheory(): ValidationRow[] {
  const area = "Momentum theory";
  const flown = blade();
  let speed = 500;
  for (let k = 0; k < 40; k += 1) speed *= Math.sqrt(3.67749375 / evaluate(flown, speed, 0).thrust);
  const { thrust, induced } = evaluate(flown, speed, 0);
  // Ground effect at constant induced power, with the rotor one radius above the ground.
  const ideal = blade({ inducedFactor: 1, profileDrag: 0, groundModel: "rotor" });
  const away = evaluate(ideal, 500, 0);
  let [low, high] = [400, 700];
  for (let k = 0; k < 100; k += 1) {
    const middle = (low + high) / 2;
    if (evaluate(ideal, middle, 0, RADIUS - 0.03).torque * middle > away.torque * 500) high = middle;
    else low = middle;
  }
  return [
    {
      area,
      quantity: "induced velocity of a rotor with R 0.127 m and 3.67749 N",
      source: "√(T/2ρA), Leishman 2006 §2.2",
      basis: "theory",
      published: 5.4427,
      ours: induced,
      tolerance: 5e-5,
      unit: "m/s",
    },
    {
      area,
      quantity: "ideal power of a rotor with R 0.127 m and 3.67749 N",
      source: "T·v_h, Leishman 2006 §2.2",
      basis: "theory",
      published: 20.015,
      ours: thrust * induced,
      tolerance: 5e-4,
      unit: "W",
    },
    {
      area: "Ground effect",
      quantity: "thrust at one radius above the ground, relative to thrust out of ground effect",
      source: "Cheeseman & Bennett 1955, ARC R&M 3021",
      basis: "theory",
      published: 1 / (1 - 1 / 16),
      ours: evaluate(ideal, low, 0, RADIUS - 0.03).thrust / away.thrust,
      tolerance: 1e-8,
      unit: "1",
    },
  ];
}

function vortexRing(): ValidationRow[] {
  const flown = blade({ vortexRingLoss: 0 });
  return [-0.2, -0.5, -0.8, -1, -1.2, -1.5].map((target) => {
    let climb = -1e-3;
    let point = evaluate(flown, 500, climb);
    const hover = () => Math.sqrt(Math.max(1e-9, point.thrust) / (2 * RHO * AREA));
    for (let k = 0; k < 200; k += 1) {
      climb += 0.3 * (target * hover() - climb);
      point = evaluate(flown, 500, climb);
    }
    return {
      area: "Vortex ring state",
      quantity: `v_i/v_h at V_c/v_h = ${target}, with \`vortexRingLoss\` = 0`,
      source: "Leishman 2006, eq. 2.96 (curve through measurements)",
      basis: "fitted",
      published: 1 - 1.125 * target - 1.372 * target ** 2 - 1.718 * target ** 3 - 0.655 * target ** 4,
      ours: point.induced / hover(),
      tolerance: 0.1,
      unit: "1",
    };
  });
}

/** Returns the ratio of the x500's thrust near the ground to that far from it, at constant induced power. */
export function groundGain(groundModel: "rotor" | "multirotor", radii: number): number {
  const momentum = { inducedFactor: 1, profileDrag: 0, groundModel };
  const environment = referenceEnvironment({ atmosphere: uniformAir(RHO) });
  const flown = rig("x500", { propulsion: { momentum }, ...free }, environment);
  const away = evaluate(flown, 500, 0);
  // The hubs are 6 cm above the centre of mass.
  const at = (speed: number) => evaluate(flown, speed, 0, radii * RADIUS - 0.06);
  let [low, high] = [400, 700];
  for (let k = 0; k < 100; k += 1) {
    const middle = (low + high) / 2;
    if (at(middle).torque * middle > away.torque * 500) high = middle;
    else low = middle;
  }
  return at(low).thrust / away.thrust;
}

/** Compares with the formula for a square of rotors, 0.348 m apart as on the x500. */
function multirotorGround(): ValidationRow[] {
  const side2 = 0.348 * 0.348;
  return [1, 2, 4].map((radii) => {
    const z = radii * RADIUS;
    const image = (distance2: number) => (RADIUS * RADIUS * z) / (distance2 + 4 * z * z) ** 1.5;
    const s = 1 / (16 * radii * radii) + image(side2) + image(2 * side2) / 2 + 2 * 2 * image(2 * side2);
    return {
      area: "Ground effect",
      quantity: `thrust of the x500 with its rotors ${radii} R above the ground, relative to thrust out of ground effect`,
      source: "Sánchez-Cuevas, Heredia & Ollero 2017, with K_b = 2",
      basis: "theory" as const,
      published: 1 / (1 - s),
      ours: groundGain("multirotor", radii),
      tolerance: 1e-8,
      unit: "1",
    };
  });
}

/** Compares the ratio of a rotor's thrust under a ceiling to that far from it, at constant induced power. */
function ceiling(): ValidationRow[] {
  const environment = { ...referenceEnvironment({ atmosphere: uniformAir(RHO) }), ceilingM: 1000 };
  const momentum = { inducedFactor: 1, profileDrag: 0 };
  const flown = rig("iris", { propulsion: { momentum }, ...free }, environment);
  const away = evaluate(flown, 500, 0, 500);
  return [0.25, 0.5, 1].map((radii) => {
    // The hubs are 3 cm above the centre of mass.
    const at = (speed: number) => evaluate(flown, speed, 0, 1000 - radii * RADIUS - 0.03);
    let [low, high] = [300, 700];
    for (let k = 0; k < 100; k += 1) {
      const middle = (low + high) / 2;
      if (at(middle).torque * middle > away.torque * 500) high = middle;
      else low = middle;
    }
    return {
      area: "Ceiling effect",
      quantity: `thrust of a rotor ${radii} R below a ceiling, relative to thrust far from it`,
      source: "Hsiao & Chirarattananon 2019, γ^⅔ with γ = ½ + ½·√(1 + R²/8δ²)",
      basis: "theory" as const,
      published: (0.5 + 0.5 * Math.sqrt(1 + 1 / (8 * radii * radii))) ** (2 / 3),
      ours: at(low).thrust / away.thrust,
      tolerance: 1e-7,
      unit: "1",
    };
  });
}

const SHETTY = "Shetty & Selig, AIAA 2011-1254, figures 11 and 12, as others have read them from the plots";

/**
 * Returns the ratio of a rotor's thrust in descent to that in hover at 4000 rpm. `sink` is in hover induced velocities.
 */
export function thrustInDescent(sink: number, flown = rigInUniformAir()): number {
  const steady = evaluate(flown, 419, 0);
  const hover = Math.sqrt(steady.thrust / (2 * RHO * AREA));
  return evaluate(flown, 419, -sink * hover).thrust / steady.thrust;
}

function rigInUniformAir(): Rig {
  return rig("iris", free, referenceEnvironment({ atmosphere: uniformAir(RHO) }));
}

/** Compares the mean thrust of the iris' blade in descent at constant rotor speed, and its fluctuation. */
function descentThrust(): ValidationRow[] {
  const area = "Thrust in descent";
  const flown = rigInUniformAir();
  const thrust = (sink: number) => thrustInDescent(sink, flown);
  const row = (propeller: string, sink: number, published: number, basis: "fitted" | "published") => ({
    area,
    quantity: `thrust relative to hover, ${propeller} at 4000 rpm, ${sink} v_h`,
    source: SHETTY,
    basis,
    published,
    ours: thrust(sink),
    tolerance: 0.1,
    unit: "1",
  });
  const means = [
    row("APC 10×5", 0.785, 0.913, "fitted"),
    row("APC 10×5", 1.24, 0.87, "fitted"),
    row("APC 10×5", 1.735, 1.217, "fitted"),
    row("APC 10×7", 0.774, 0.981, "published"),
    row("APC 10×7", 1.238, 0.914, "published"),
    row("APC 10×7", 1.741, 1.143, "published"),
  ];
  const sinks = Array.from({ length: 300 }, (_, k) => 0.01 * k);
  const least = sinks.reduce((best, sink) => (thrust(sink) < thrust(best) ? sink : best));
  const mean = thrust(least);
  flown.input({ wakeUnsteadiness: [-3, -3, -3, -3] });
  const fluctuation = {
    area,
    quantity:
      "largest fluctuation of thrust relative to its mean (three standard deviations), at the rate of descent with the least thrust",
    source: "Shetty & Selig, AIAA 2011-1254: ±30 %, as quoted in later papers",
    basis: "fitted" as const,
    published: 0.3,
    ours: thrust(least) / mean - 1,
    tolerance: 0.05,
    unit: "1",
  };
  return [...means, fluctuation];
}

const UIUC =
  "UIUC Propeller Database, Brandt & Selig 2011: apcsf_10x4.7 static_kt0835, kt0836_4014, rd0838_4997, rd0840_6020, rd0841_6512";
/** The smallest thrust coefficient to which the blade was fitted; below it, the twist of the blade dominates. */
const MIN_FITTED_CT = 0.1 * 0.1299;

/** Returns the thrust and power coefficients of the iris' propeller at a speed and an advance ratio. */
export function irisPropeller(rpm: number, advance: number, flown = rigInUniformAir()): { ct: number; cp: number } {
  const turns = rpm / 60;
  const { thrust, torque } = evaluate(flown, 2 * Math.PI * turns, advance * turns * 2 * RADIUS);
  const force = RHO * turns ** 2 * (2 * RADIUS) ** 4;
  return { ct: thrust / force, cp: (2 * Math.PI * torque) / (force * 2 * RADIUS) };
}

export interface MeasuredPropeller {
  readonly kind: string;
  readonly rpm: number;
  readonly advance: number;
  readonly ct: number;
  readonly cp: number;
}

/** Returns every row of the database: first the static ones, by rotor speed. */
export function measuredPropeller(): MeasuredPropeller[] {
  return readFileSync(new URL("../fixtures/uiuc-apc-sf-10x4.7.csv", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","))
    .map(([kind, rpm, advance, ct, cp]) => ({
      kind: kind!,
      rpm: Number(rpm),
      advance: Number(advance),
      ct: Number(ct),
      cp: Number(cp),
    }));
}

/**
 * Returns all rows with positive thrust, for the blade of the iris. The blade was fitted to half of those with at least
 * a tenth of the largest thrust.
 */
function propeller(): ValidationRow[] {
  const flown = rigInUniformAir();
  let fitted = 0;
  return measuredPropeller()
    .filter(({ ct }) => ct > 0)
    .flatMap(({ kind, rpm, advance, ct, cp }) => {
      const ours = irisPropeller(rpm, advance, flown);
      const isUsed = ct >= MIN_FITTED_CT;
      if (isUsed) fitted += 1;
      const basis = isUsed && fitted % 2 === 1 ? ("fitted" as const) : ("published" as const);
      const row = (what: string, published: number, ours: number, tolerance: number) => ({
        area: "Propeller of the iris",
        quantity: `${what}, ${kind} ${rpm} rpm, J ${advance}${basis === "published" ? " (held out)" : ""}`,
        source: UIUC,
        basis,
        published,
        ours,
        tolerance,
        unit: "1",
        ...(Math.abs(ours - published) > tolerance && !isUsed
          ? { outside: "near zero thrust the coefficients depend on the twist of the blade, which is not modelled" }
          : {}),
      });
      return [row("C_T", ct, ours.ct, 0.04 * 0.1299), row("C_P", cp, ours.cp, 0.1 * 0.0531)];
    });
}

/** Returns the rotor speed at which the thrust measured at rest is `thrustN`, interpolated between two rows. */
function measuredHoverRpm(thrustN: number, densityKgM3: number): number {
  const rows = measuredPropeller().filter(({ advance }) => advance === 0);
  const thrustAt = (rpm: number, ct: number) => ct * densityKgM3 * (rpm / 60) ** 2 * (2 * RADIUS) ** 4;
  const above = rows.findIndex(({ rpm, ct }) => thrustAt(rpm, ct) > thrustN);
  const [low, high] = [rows[above - 1]!, rows[above]!];
  const fraction = (thrustN - thrustAt(low.rpm, low.ct)) / (thrustAt(high.rpm, high.ct) - thrustAt(low.rpm, low.ct));
  return low.rpm + fraction * (high.rpm - low.rpm);
}

function iris(): ValidationRow[] {
  const area = "Iris in hover";
  const { rotors, full } = rig("iris").plant.trim();
  const density = rig("iris").outputs().airDensity[0]!;
  const power = measuredIrisPower(0);
  return [
    {
      area,
      quantity: "rotor speed in hover, 488 m",
      source: `rotor speed at which the propeller's measured static thrust carries a quarter of the weight: ${UIUC}`,
      basis: "fitted",
      published: measuredHoverRpm(rotors[0]!.thrustN, density),
      ours: (rotors[0]!.speedRadS * 60) / (2 * Math.PI),
      tolerance: 100,
      unit: "rpm",
    },
    {
      area,
      quantity: "power in hover, sea level",
      source: LIU,
      published: power,
      ours: irisPower(0),
      tolerance: 0.15 * power,
      unit: "W",
    },
    {
      area,
      quantity: "thrust at full duty over weight, 488 m",
      source:
        "3DR IRIS+: hovers with 0.46 of its thrust (MOT_THST_HOVER, ArduPilot, Tools/Frame_params/3DR_Iris+_AC34.param), 1/0.46",
      published: 1 / 0.46,
      ours: full.thrustToWeight,
      tolerance: 0.1 / 0.46,
      unit: "1",
    },
  ];
}

/** Returns rows of numbers that a defect of the reference affects: the correct value, ours, and the reference's. */
function changed(): ValidationRow[] {
  const area = "Corrected, not copied";
  const exact = (
    quantity: string,
    defect: string,
    reference: string,
    published: number,
    ours: number,
    unit: string,
  ) => ({
    area,
    quantity: `${quantity} (the reference simulator has ${reference}: ${defect})`,
    source: "closed form",
    basis: "theory" as const,
    published,
    ours,
    tolerance: 1e-12 * Math.abs(published),
    unit,
  });
  const stalled = Array.from({ length: 4 }, () => ({ speed: 0, duty: 1 }));
  const cutOff = solve({ motors: stalled, packs: [{ volts: 12.6, ohm: 0.05, cutoff: 8 }] });
  const shared = solve({
    packs: [
      { volts: 12, ohm: 0.05 },
      { volts: 12, ohm: 0.1 },
    ],
    power: 12,
  });
  const forty = Array.from({ length: 4 }, () => ({ speed: 0, duty: 1, max: 9.8 }));
  const unequal = solve({
    motors: forty,
    packs: [
      { volts: 12.6, ohm: 0.02 },
      { volts: 11.4, ohm: 0.02 },
    ],
  });
  return [
    exact(
      "voltage of a bus with four stalled motors, pack at its cut-off of 8 V",
      "defect D10",
      "8 V and 130.6 A",
      92 / (16 / 0.98),
      cutOff.volts,
      "V",
    ),
    exact(
      "current of a bus with four stalled motors, pack at its cut-off of 8 V",
      "defect D10",
      "130.6 A",
      92,
      cutOff.currents[0]!,
      "A",
    ),
    exact(
      "bus voltage, 12 W on two packs of 0.05 and 0.1 ohm",
      "it linearises constant power",
      "11.9666666667 V",
      6 + Math.sqrt(35.6),
      shared.volts,
      "V",
    ),
    exact(
      "current of the fuller pack, 40 A from packs of 12.6 and 11.4 V",
      "defect D10",
      "20 A",
      50,
      unequal.currents[0]!,
      "A",
    ),
    exact(
      "current of the emptier pack, 40 A from packs of 12.6 and 11.4 V",
      "defect D10",
      "20 A",
      -10,
      unequal.currents[1]!,
      "A",
    ),
  ];
}
