/**
 * Consistency rules for values that are valid individually but not together. Each error says how to fix it.
 *
 * A rule runs as soon as the sections that it needs are valid, so one pass reports every error. `strictRates = false`
 * disables the rule that rejects an autopilot period at which control loops would silently run slower than configured.
 * Rules that protect stability cannot be disabled, because the result of an unstable integration is meaningless.
 */
import type { Stepping } from "../../integrate/index.ts";
import { secondsToUs } from "../../time/index.ts";
import { quantityInfo } from "../../quantities/index.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { ChosenKind, FlightDefinition } from "../definition/definition.ts";
import type { EventDraft } from "../sections/scenario-spec.ts";

/** A penalty contact is unstable if the step is longer than this fraction of 1/ω. */
const CONTACT_STEP_RATIO = 0.2;
const ACTUATOR_STEP_RATIO = 0.3;
/** More boundaries than this indicate a typo: at one per millisecond, 1e10 boundaries last four months. */
const MAX_BOUNDARIES = 1e10;

interface Rule<K extends keyof FlightDefinition = keyof FlightDefinition> {
  readonly needs: readonly K[];
  readonly check: (definition: Pick<FlightDefinition, K>, diagnostics: Diagnostics, context: RuleContext) => void;
}

/** Inputs of the rules besides the sections. */
interface RuleContext {
  readonly strictRates: boolean;
  /** How the integrator's kind chooses its steps, if the kind declares it. */
  readonly stepping: Stepping | undefined;
}

const rule = <const K extends keyof FlightDefinition>(needs: readonly K[], check: Rule<K>["check"]): Rule =>
  ({ needs, check }) as unknown as Rule;

/** If there is a physics period, the autopilot, wind, log and scenario periods must be whole multiples of it. */
const periodsAreMultiples = rule(["timeline"], ({ timeline }, diagnostics) => {
  const physicsUs = secondsToUs(timeline.physicsPeriodS);
  if (physicsUs === 0) return;
  for (const key of ["autopilotPeriodS", "windPeriodS", "logPeriodS", "scenarioPeriodS"] as const) {
    const periodUs = secondsToUs(timeline[key]);
    const usesAutopilotPeriod = key === "scenarioPeriodS" && timeline.scenarioPeriodS === timeline.autopilotPeriodS;
    if (periodUs % physicsUs === 0 || usesAutopilotPeriod) continue;
    const below = Math.floor(periodUs / physicsUs) * physicsUs;
    diagnostics.add(
      "inconsistent",
      `timeline.${key}`,
      `${timeline[key]} s is not a whole multiple of the physics period, ${timeline.physicsPeriodS} s`,
      `use ${below > 0 ? `${below / 1e6} s or ` : ""}${(below + physicsUs) / 1e6} s, or physicsPeriodS = 0 with an adaptive integrator`,
    );
  }
});

/** Every period adds boundaries. Sensor periods are multiples of the autopilot's, so they are never the shortest. */
const lengthIsBounded = rule(["timeline"], ({ timeline }, diagnostics) => {
  const { endS, physicsPeriodS, autopilotPeriodS, windPeriodS, logPeriodS, scenarioPeriodS } = timeline;
  const periods = [physicsPeriodS, autopilotPeriodS, windPeriodS, logPeriodS, scenarioPeriodS];
  const shortest = Math.min(...periods.filter((periodS) => periodS > 0));
  if (endS / shortest <= MAX_BOUNDARIES) return;
  diagnostics.add(
    "outOfRange",
    "timeline.endS",
    `${endS} s in steps of ${shortest} s would take more than ${MAX_BOUNDARIES} steps`,
    `use at most ${MAX_BOUNDARIES * shortest} s`,
  );
});

/** Returns the longest step that a fixed-step integrator would take; undefined for other integrators. */
function fixedStepS(
  { timeline, integrator }: Pick<FlightDefinition, "timeline" | "integrator">,
  stepping: Stepping | undefined,
): number | undefined {
  if (stepping !== "fixed") return undefined;
  const { physicsPeriodS, autopilotPeriodS, windPeriodS, logPeriodS } = timeline;
  const intervalS = physicsPeriodS > 0 ? physicsPeriodS : Math.min(autopilotPeriodS, windPeriodS, logPeriodS);
  const substepS = ((integrator.params["substepUs"] as number | undefined) ?? 0) / 1e6;
  return substepS > 0 ? Math.min(intervalS, substepS) : intervalS;
}

const stepSuitsContact = rule(["timeline", "integrator", "vehicle"], (definition, diagnostics, { stepping }) => {
  const stepS = fixedStepS(definition, stepping);
  const { enabled, bounceRadS } = definition.vehicle.contact;
  if (stepS === undefined || !enabled || stepS * bounceRadS <= CONTACT_STEP_RATIO) return;
  diagnostics.add(
    "stiffContact",
    "timeline.physicsPeriodS",
    `a step of ${stepS} s is too long for a contact of ${bounceRadS} rad/s`,
    `use a physics period of at most ${roundDownToUs(CONTACT_STEP_RATIO / bounceRadS)} s, or integrator = "rk45"`,
  );
});

const stepSuitsActuators = rule(["timeline", "integrator", "vehicle"], (definition, diagnostics, { stepping }) => {
  const stepS = fixedStepS(definition, stepping);
  if (stepS === undefined) return;
  for (const key of ["motorActuator", "servoActuator"] as const) {
    const { kind, naturalRadS, tauS } = definition.vehicle[key];
    const bandwidth = kind === "secondOrder" ? naturalRadS : kind === "firstOrder" ? 1 / tauS : 0;
    if (bandwidth * stepS <= ACTUATOR_STEP_RATIO) continue;
    diagnostics.add(
      "fastActuator",
      `vehicle.${key}`,
      `a step of ${stepS} s is too long for an actuator of ${bandwidth} rad/s`,
      `use a physics period of at most ${roundDownToUs(ACTUATOR_STEP_RATIO / bandwidth)} s, or integrator = "rk45"`,
    );
  }
});

/**
 * If a step is longer than the time in which a jammed rotor stops, the integration reverses the rotor and jerks the
 * airframe.
 */
const stepSuitsJams = rule(
  ["timeline", "integrator", "vehicle", "scenario"],
  (definition, diagnostics, { stepping }) => {
    const stepS = fixedStepS(definition, stepping);
    const { level, jamTimeS } = definition.vehicle.propulsion;
    const isJammed = level !== "linear" && definition.scenario.some(({ action }) => action === "motorJam");
    if (stepS === undefined || !isJammed || stepS <= jamTimeS) return;
    diagnostics.add(
      "inconsistent",
      "vehicle.propulsion.jamTimeS",
      `a step of ${stepS} s is too long for a rotor that jams in ${jamTimeS} s`,
      `use at least ${stepS} s, a physics period of at most ${roundDownToUs(jamTimeS)} s, or integrator = "rk45"`,
    );
  },
);

/** The estimator delays its output by whole autopilot ticks. */
const delayIsWhole = rule(["timeline", "estimator"], ({ timeline, estimator }, diagnostics) => {
  const delayS = estimator.params["delayS"];
  if (typeof delayS !== "number") return;
  const [delayUs, periodUs] = [secondsToUs(delayS), secondsToUs(timeline.autopilotPeriodS)];
  if (delayUs % periodUs === 0) return;
  const below = Math.floor(delayUs / periodUs) * periodUs;
  diagnostics.add(
    "inconsistent",
    "estimator.delayS",
    `a delay of ${delayS} s is not a whole number of autopilot periods of ${timeline.autopilotPeriodS} s`,
    `use ${below / 1e6} s or ${(below + periodUs) / 1e6} s`,
  );
});

/**
 * The longest usable autopilot period: a slower attitude loop cannot control a vehicle, and PX4 has no slower setting.
 */
const MAX_AUTOPILOT_PERIOD_US = 20000;

const autopilotIsFastEnough = rule(["timeline", "autopilot"], ({ timeline, autopilot }, diagnostics) => {
  const periodUs = secondsToUs(timeline.autopilotPeriodS);
  if (autopilot.kind !== "embedded" || periodUs <= MAX_AUTOPILOT_PERIOD_US) return;
  diagnostics.add(
    "strictRates",
    "timeline.autopilotPeriodS",
    `${timeline.autopilotPeriodS} s is longer than the longest period of the autopilot's rate loop, ${MAX_AUTOPILOT_PERIOD_US / 1e6} s`,
    `use at most ${MAX_AUTOPILOT_PERIOD_US / 1e6} s (0.004 s is usual), or strictRates = false`,
  );
});

/** A real PX4 would have to receive the sticks as messages, which the PX4 bridges do not send. */
const autopilotReceivesSticks = rule(["autopilot", "scenario"], ({ autopilot, scenario }, diagnostics) => {
  if (!autopilot.kind.startsWith("px4-") || !scenario.some(({ action }) => action === "sticks")) return;
  diagnostics.add(
    "inconsistent",
    "scenario",
    `${autopilot.kind} does not receive the pilot's sticks`,
    'use autopilot = "embedded", or goto and requests for modes instead of sticks',
  );
});

const RULES: readonly Rule[] = [
  autopilotReceivesSticks,
  periodsAreMultiples,
  lengthIsBounded,
  stepSuitsContact,
  stepSuitsActuators,
  stepSuitsJams,
  delayIsWhole,
];

/** Runs every rule whose sections are valid. */
export function checkConsistency(
  draft: Partial<FlightDefinition>,
  context: RuleContext,
  diagnostics: Diagnostics,
): void {
  for (const { needs, check } of context.strictRates ? [...RULES, autopilotIsFastEnough] : RULES) {
    if (needs.every((section) => draft[section] !== undefined)) check(draft as FlightDefinition, diagnostics, context);
  }
}

/** The raw sensor that each sensor fault affects. The estimator is not listed, because every flight has one. */
const SENSOR_OF: Readonly<Record<string, string>> = {
  gyro: "imu",
  accel: "imu",
  mag: "magnetometer",
  baro: "barometer",
  gnss: "gnss",
  airspeed: "airspeed",
  range: "rangeFinder",
};

/** Faults that an estimator can have. */
const ESTIMATOR_FAULTS: readonly string[] = ["healthy", "stuck", "drop-out"];

/**
 * Parts that events may refer to. A value is undefined if its section has errors; events are then not compared with it.
 */
interface EventContext {
  readonly rotors: number | undefined;
  readonly batteries: number | undefined;
  readonly sensors: readonly ChosenKind[] | undefined;
}

/** Reports events that refer to a motor, battery or sensor that this flight does not have. */
export function checkEvents(events: readonly EventDraft[], context: EventContext, diagnostics: Diagnostics): void {
  for (const event of events) {
    const { key } = event;
    const { motor, battery, sensor, fault } = (event.params ?? {}) as {
      motor?: number;
      battery?: number;
      sensor?: string;
      fault?: string;
    };
    if (motor !== undefined && context.rotors !== undefined && motor > context.rotors) {
      diagnostics.add(
        "inconsistent",
        `${key}.${event.action}.motor`,
        `there is no motor ${motor}`,
        `use a motor from 1 to ${context.rotors}`,
      );
    }
    const { batteries } = context;
    if (battery !== undefined && batteries !== undefined && (battery > batteries || batteries === 0)) {
      const fix =
        batteries === 0
          ? "remove the event: the vehicle has no batteries"
          : `use a battery from 1 to ${batteries}, or 0 for all`;
      diagnostics.add(
        "inconsistent",
        `${key}.${event.action}.battery`,
        `there is no battery ${battery === 0 ? "at all" : battery}`,
        fix,
      );
    }
    if (sensor === "estimator" && !ESTIMATOR_FAULTS.includes(fault ?? "")) {
      diagnostics.add(
        "inconsistent",
        `${key}.sensorFault.fault`,
        `an estimator cannot have the fault "${fault}"`,
        "use drop-out, stuck or healthy; other errors are parameters of the estimator",
      );
    } else if (
      sensor !== undefined &&
      sensor !== "estimator" &&
      context.sensors?.some(({ kind }) => kind === SENSOR_OF[sensor]) === false
    ) {
      diagnostics.add(
        "inconsistent",
        `${key}.sensorFault.sensor`,
        `this flight has no ${SENSOR_OF[sensor]}`,
        `write sensors.${SENSOR_OF[sensor]} = true`,
      );
    }
    checkQuantities(event, context, diagnostics);
  }
}

function checkQuantities({ key, trigger }: EventDraft, context: EventContext, diagnostics: Diagnostics): void {
  if (trigger?.at !== "condition" || context.batteries !== 0) return;
  for (const { quantity } of trigger.condition) {
    const { needs, signals } = quantityInfo(quantity);
    const needsBattery = needs.includes("soc") || signals.includes("batteryVoltage");
    if (needsBattery)
      diagnostics.add(
        "inconsistent",
        `${key}.when`,
        `the condition uses ${quantity}, but the vehicle has no batteries`,
        "give the vehicle batteries, or compare something else",
      );
  }
}

/** Rounds a time in seconds down to a whole microsecond, so that it is a valid period. */
function roundDownToUs(seconds: number): number {
  return Math.floor(seconds * 1e6) / 1e6;
}
