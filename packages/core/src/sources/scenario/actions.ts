/**
 * The actions of a scenario, one entry per action: its parameters, and its effect on the scenario's own signals.
 *
 * An action is either a *request*, executed once when its event fires, or an *effect*, active from then on or for the
 * event's window. A request that changes a *setting* of the flight publishes a bit; the parts of the flight read it.
 * Whenever the scenario runs, it applies all active effects to healthy values, in the order in which they fired. So
 * overlapping gusts add, the later of two effects on one motor wins, and nothing has to be undone at the end of a
 * window.
 */
import { RAD_PER_DEG } from "../../math/angle.ts";
import { defineParams, type ParamsOf, type ParamTable } from "../../params/index.ts";
import { ANY, choice, closed, integer, number, text, vector } from "../../params/rows.ts";
import type { RandomStream } from "../../random/index.ts";
import { cos } from "../../math/index.ts";
import { SERIES } from "./stick-series.ts";
import { hasBit, SENSORS, SIGNALS, STICKS, type View } from "../../engine/index.ts";

type Own = View<"scenario">;

/** Outcomes that a stop event may name. */
const STOP_OUTCOMES = ["completed", "crashed", "failed"] as const;
export type StopOutcome = (typeof STOP_OUTCOMES)[number];

const MODES = SIGNALS.requestMode.values;
const FAULTS = SIGNALS.sensorFaultKind.values;
type FaultName = keyof typeof FAULTS;

interface ActionBase<T extends ParamTable> {
  readonly about: string;
  readonly params: T;
}

/** An action that is executed once. `event` is 1 + the index of the event, for the signals that name it. */
interface RequestAction<T extends ParamTable = ParamTable> extends ActionBase<T> {
  readonly execute: (params: ParamsOf<T>, own: Own, event: number) => void;
}

/**
 * An action with an effect while it is active; `elapsedS` is the time since its event fired. It draws its random
 * numbers even while they have no effect, so that its later numbers do not depend on other effects.
 */
interface EffectAction<T extends ParamTable = ParamTable> extends ActionBase<T> {
  /** Whether the size of the effect changes over time. If so, the effect is applied again at every period. */
  readonly varies?: (params: ParamsOf<T>) => boolean;
  readonly apply: (params: ParamsOf<T>, own: Own, elapsedS: number, forS: number, random: RandomStream) => void;
  /** Writes 1 + the index of the event into the signals that name the cause of an effect. */
  readonly recordEvent: (params: ParamsOf<T>, own: Own, event: number) => void;
}

/**
 * The bit of a parameter or setting change, and the bits of the earlier changes that it replaces. Assembly adds them
 * to the parameters of the change.
 */
export interface ChangeBits {
  readonly bit: number;
  readonly replaces: readonly number[];
}

const request = <const T extends ParamTable>(action: RequestAction<T>) => action;
const effect = <const T extends ParamTable>(action: EffectAction<T>) => action;

const motor = integer("index", closed(1, 12), "Which motor, from 1.");
const battery = integer("index", closed(0, 8), "Which battery, from 1; 0 for all.", 0);

function requestMode(mode: keyof typeof MODES) {
  return (_params: unknown, own: Own, event: number): void => {
    own.requestMode[0] = MODES[mode];
    own.requestCount[0]! += 1;
    own.requestEvent[1] = event;
  };
}

/**
 * Makes a request to arm or disarm. Each request is a new number, so that a repetition is detected. Its sign selects
 * arming or disarming.
 */
function requestArmed(sign: 1 | -1) {
  return (_params: unknown, own: Own, event: number): void => {
    own.requestArmed[0] = sign * (Math.abs(own.requestArmed[0]!) + 1);
    own.requestCount[0]! += 1;
    own.requestEvent[0] = event;
  };
}

/** Sets the bit of a change and clears the bits of the changes that it replaces. */
function setBit(mask: Float64Array, { bit, replaces }: ChangeBits): void {
  for (const other of replaces) if (hasBit(mask[0]!, other)) mask[0]! -= other;
  if (!hasBit(mask[0]!, bit)) mask[0]! += bit;
}

/** Makes the action that changes a setting. Its parameters are those of the setting, e.g. of a wind kind. */
function setting<const T extends ParamTable>(about: string, params: T) {
  return request({
    about,
    params,
    execute: (p, own) => setBit(own.settingChanges, p as unknown as ChangeBits),
  });
}

type SetMotor = (p: Record<string, number>, own: Own, i: number, random: RandomStream) => void;

function motorEffect<const T extends ParamTable>(params: T, about: string, set: SetMotor, varies = false) {
  return effect({
    about,
    varies: () => varies,
    params: defineParams({ motor, ...params }),
    apply: (p, own, _elapsedS, _forS, random) =>
      set(p as Record<string, number>, own, (p as { motor: number }).motor - 1, random),
    recordEvent: (p, own, event) => {
      own.motorEvent[(p as { motor: number }).motor - 1] = event;
    },
  });
}

/** Sets the entry of one battery, or of all. */
function setBatteries(index: number, entries: Float64Array, value: number): void {
  for (let i = 0; i < entries.length; i += 1) if (index === 0 || index === i + 1) entries[i] = value;
}

function batteryEffect(about: string, connected: number) {
  return effect({
    about,
    params: defineParams({ battery }),
    apply: (p, own) => setBatteries(p.battery, own.batteryConnected, connected),
    recordEvent: (p, own, event) => setBatteries(p.battery, own.batteryEvent, event),
  });
}

function recordGustEvent(_params: unknown, own: Own, event: number): void {
  own.gustEvent[0] = event;
}

/** The value of `yawDeg` that means "not given". Every number in a table is finite, so NaN is not available. */
const NO_YAW = 361;

/** Every action of a scenario, with its parameters and its effect. */
export const ACTIONS = {
  arm: request({ about: "Requests arming.", params: {}, execute: requestArmed(1) }),
  disarm: request({ about: "Requests disarming.", params: {}, execute: requestArmed(-1) }),
  mission: request({ about: "Requests mission mode.", params: {}, execute: requestMode("mission") }),
  rtl: request({ about: "Requests a return to home and a landing.", params: {}, execute: requestMode("rtl") }),
  hold: request({ about: "Requests a hold at the present position.", params: {}, execute: requestMode("hold") }),
  land: request({ about: "Requests a landing at the present position.", params: {}, execute: requestMode("land") }),
  takeoff: request({
    about: "Requests a take-off to the autopilot's take-off altitude.",
    params: {},
    execute: requestMode("takeoff"),
  }),
  goto: request({
    about:
      "Requests a flight to a position and a hold there, like PX4's reposition command. Has no effect while disarmed.",
    params: defineParams({
      posNedM: vector(3, "m", closed(-1e5, 1e5), "North, east and down of the origin; up is negative."),
      yawDeg: number(
        "deg",
        closed(-360, NO_YAW),
        "Heading to turn to. The default, 361, leaves it to the autopilot.",
        NO_YAW,
      ),
    }),
    execute: (p, own, event) => {
      for (let i = 0; i < 3; i += 1) own.requestPosNed[i] = p.posNedM[i]!;
      own.requestYawGiven[0] = p.yawDeg === NO_YAW ? 0 : 1;
      own.requestYaw[0] = p.yawDeg === NO_YAW ? 0 : p.yawDeg * RAD_PER_DEG;
      requestMode("goto")(p, own, event);
    },
  }),
  sticks: request({
    about:
      "Moves the pilot's sticks, which stay there until the next such event, and requests position mode, in which they command velocity, climb rate and yaw rate.",
    params: defineParams({
      roll: number("1", closed(-1, 1), "Roll stick: 1 is fully right.", 0),
      pitch: number("1", closed(-1, 1), "Pitch stick: 1 is fully forward.", 0),
      yaw: number("1", closed(-1, 1), "Yaw stick: 1 is fully right, which turns clockwise.", 0),
      throttle: number("1", closed(-1, 1), "Throttle stick: 1 is fully up, 0 keeps the height.", 0),
      series: SERIES,
    }),
    execute: (p, own, event) => {
      STICKS.forEach((axis, i) => (own.sticks[i] = p[axis]));
      // Moving the sticks in position mode is not a new request.
      if (own.requestMode[0] !== MODES.position) requestMode("position")(p, own, event);
    },
  }),
  gust: effect({
    about: "Adds a gust to the wind: a step, or one minus cosine over its window. Overlapping gusts add.",
    params: defineParams({
      velNedMps: vector(3, "m/s", ANY, "Peak velocity of the air mass over ground."),
      shape: choice(["step", "one-minus-cosine"], "Shape of the gust over time.", "step"),
    }),
    varies: (p) => p.shape !== "step",
    apply: (p, own, elapsedS, forS) => {
      const size = p.shape === "step" ? 1 : oneMinusCosine(elapsedS, forS);
      for (let i = 0; i < 3; i += 1) own.windGustNed[i]! += size * p.velNedMps[i]!;
    },
    recordEvent: recordGustEvent,
  }),
  windMean: effect({
    about: "Adds a constant to the wind from now on.",
    params: defineParams({
      velNedMps: vector(3, "m/s", ANY, "Added velocity of the air mass."),
    }),
    apply: (p, own) => {
      for (let i = 0; i < 3; i += 1) own.windGustNed[i]! += p.velNedMps[i]!;
    },
    recordEvent: recordGustEvent,
  }),
  motorOff: motorEffect({}, "A motor gets no duty.", (_p, own, i) => {
    own.motorGain[i] = 0;
    own.motorOffset[i] = 0;
  }),
  motorLoss: motorEffect(
    { gain: number("1", closed(0, 1), "Remaining fraction of the duty.") },
    "A motor keeps a fraction of its duty.",
    (p, own, i) => {
      own.motorGain[i] = p["gain"]!;
      own.motorOffset[i] = 0;
    },
  ),
  motorStuck: motorEffect(
    { duty: number("1", closed(0, 1), "The duty it is stuck at.") },
    "A motor is stuck at a duty.",
    (p, own, i) => {
      own.motorGain[i] = 0;
      own.motorOffset[i] = p["duty"]!;
    },
  ),
  motorNoise: motorEffect(
    {
      sigma: number(
        "1",
        closed(0, 1),
        "Standard deviation of the noise on the duty, drawn whenever the scenario runs.",
      ),
    },
    "A motor's duty is noisy.",
    (p, own, i, random) => {
      const noise = p["sigma"]! * random.gaussian();
      // A motor that is off or stuck has no duty to add noise to.
      if (own.motorGain[i] !== 0) own.motorOffset[i] = noise;
    },
    true,
  ),
  motorJam: motorEffect({}, "A rotor is jammed: it stops and stays still.", (_p, own, i) => {
    own.motorJam[i] = 1;
  }),
  propellerImbalance: motorEffect(
    { imbalanceGmm: number("g.mm", closed(0, 1e4), "Imbalance: mass times its distance from the axis.") },
    "A propeller is unbalanced and shakes the inertial sensor, if the flight has one. Needs rotor speeds, which level linear does not have.",
    (p, own, i) => {
      own.propellerImbalance[i] = p["imbalanceGmm"]! / 1e6;
    },
  ),
  propellerChip: motorEffect(
    { share: number("1", closed(0, 0.9), "Fraction of the radius that is missing.") },
    "One blade of a propeller loses its tip: the rotor loses thrust and torque, and shakes the inertial sensor.",
    (p, own, i) => {
      own.propellerChip[i] = p["share"]!;
    },
  ),
  batteryOff: batteryEffect("A battery is disconnected from its bus.", 0),
  batteryOn: batteryEffect("A battery is connected again.", 1),
  motorOn: motorEffect({}, "A motor and its propeller are healthy again: ends all their faults.", (_p, own, i) => {
    own.motorGain[i] = 1;
    own.motorOffset[i] = 0;
    own.motorJam[i] = 0;
    own.propellerChip[i] = 0;
    own.propellerImbalance[i] = 0;
  }),
  sensorFault: effect({
    about: "A sensor, or the estimator as a whole, fails.",
    params: defineParams({
      sensor: choice(SENSORS, "What fails. The estimator can drop out, or be stuck, which freezes the estimate."),
      fault: choice(Object.keys(FAULTS) as FaultName[], "How it fails; `healthy` ends the fault."),
      level: number("sensor unit", ANY, SIGNALS.sensorFaultLevel.about, 0),
    }),
    apply: (p, own) => {
      const i = SENSORS.indexOf(p.sensor as (typeof SENSORS)[number]);
      own.sensorFaultKind[i] = FAULTS[p.fault as FaultName];
      own.sensorFaultLevel[i] = p.level;
    },
    recordEvent: (p, own, event) => {
      own.sensorFaultEvent[SENSORS.indexOf(p.sensor as (typeof SENSORS)[number])] = event;
    },
  }),
  parameter: request({
    about: "Sets a parameter of the autopilot, for the rest of the flight.",
    params: defineParams({
      name: text("Its PX4 name."),
      value: number("parameter unit", ANY, "Its new value."),
    }),
    execute: (p, own) => setBit(own.parameterChanges, p as unknown as ChangeBits),
  }),
  wind: setting(
    "Changes the base wind from the wind's next tick on: another kind, or other parameters of the present kind.",
    {},
  ),
  estimator: setting("Changes the estimator: another kind, or other parameters of the present kind.", {}),
  sensor: setting("Changes parameters of one raw sensor, named by its kind. Its period cannot change.", {}),
  vehicle: setting(
    "Changes parameters of the vehicle. The state vector stays the same, so a change cannot alter the number of rotors, servos, batteries or buses, or select a model with other states.",
    {},
  ),
  integrator: setting("Changes the integration method or its parameters.", {}),
  reseed: setting(
    "Draws different random numbers from now on. Filters, biases and gusts continue from their present values.",
    defineParams({
      seed: integer("1", closed(0, Number.MAX_SAFE_INTEGER), "Seed of every random stream from now on."),
    }),
  ),
  stop: request({
    about: "Ends the flight.",
    params: defineParams({
      outcome: choice(STOP_OUTCOMES, "Outcome that the summary reports.", "completed"),
      reason: text("Reason that the summary reports, in one phrase.", "the scenario ended the flight"),
    }),
    // The scenario source publishes the index of the event in `stop`.
    execute: () => {},
  }),
} as const;

export type ActionName = keyof typeof ACTIONS;
export const ACTION_NAMES = Object.keys(ACTIONS) as readonly ActionName[];

/** Returns the action of a name, without its own parameter types. */
export function actionOf(name: ActionName): RequestAction | EffectAction {
  return ACTIONS[name] as unknown as RequestAction | EffectAction;
}

export function isEffect(name: ActionName): boolean {
  return "apply" in actionOf(name);
}

/** Actions that change a setting of the flight. */
const SETTINGS = [
  "wind",
  "estimator",
  "sensor",
  "vehicle",
  "integrator",
  "reseed",
] as const satisfies readonly ActionName[];
export type SettingName = (typeof SETTINGS)[number];

export function isSetting(name: ActionName | undefined): name is SettingName {
  return (SETTINGS as readonly (ActionName | undefined)[]).includes(name);
}

export function variesInTime(name: ActionName, params: ParamsOf<ParamTable>): boolean {
  const action = actionOf(name);
  return "apply" in action && action.varies?.(params) === true;
}

/**
 * Returns a factor that rises from 0 to 1 in the middle of the window and falls back (the design gust of CS-25.341, in
 * time).
 */
function oneMinusCosine(elapsedS: number, forS: number): number {
  return forS > 0 ? 0.5 * (1 - cos((2 * 3.141592653589793 * elapsedS) / forS)) : 0;
}
