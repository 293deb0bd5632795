/**
 * What each section allows by itself but not together: the consistency rules, as errors, each with its remedy.
 *
 * Where a rule guards against a silently slower loop the opt-out is `strictRates = false`; the rules that guard
 * stability have none, because an unstable flight has no meaning.
 */
import { secondsToUs } from "../time/index.ts";
import type { FlightComplaint } from "./scenario-spec.ts";
import type { Flown } from "./resolve.ts";

/** Methods that take one step an interval: their step is the physics period. */
const FIXED_STEP = ["euler", "rk4"];
/** A step longer than this share of 1/ω makes a penalty contact unstable. */
const CONTACT_STEP_RATIO = 0.2;
const ACTUATOR_STEP_RATIO = 0.3;

type Rule = (flown: Flown, complaints: FlightComplaint[]) => void;

/** Autopilot, wind and log ticks fall on physics ticks where there are any. */
const periodsAreMultiples: Rule = ({ timeline }, complaints) => {
  const physicsUs = secondsToUs(timeline.physicsPeriodS);
  if (physicsUs === 0) return;
  for (const key of ["autopilotPeriodS", "windPeriodS", "logPeriodS", "scenarioPeriodS"] as const) {
    const periodUs = secondsToUs(timeline[key]);
    if (periodUs % physicsUs === 0) continue;
    const below = Math.max(1, Math.floor(periodUs / physicsUs)) * physicsUs;
    complaints.push({
      code: "inconsistent",
      key: `timeline.${key}`,
      what: `${timeline[key]} s is not a whole multiple of the physics period, ${timeline.physicsPeriodS} s`,
      fix: `use ${below / 1e6} s or ${(below + physicsUs) / 1e6} s, or physicsPeriodS = 0 with an adaptive integrator`,
    });
  }
};

/** The longest step that a fixed-step method would take. */
function fixedStepS({ timeline, integrator }: Flown): number | undefined {
  if (!FIXED_STEP.includes(integrator.kind)) return undefined;
  const physicsS = timeline.physicsPeriodS;
  return physicsS > 0 ? physicsS : Math.min(timeline.autopilotPeriodS, timeline.windPeriodS, timeline.logPeriodS);
}

const contactIsResolved: Rule = (flown, complaints) => {
  const stepS = fixedStepS(flown);
  const { enabled, bounceRadS } = flown.vehicle.contact;
  if (stepS === undefined || !enabled || stepS * bounceRadS <= CONTACT_STEP_RATIO) return;
  complaints.push({
    code: "stiffContact",
    key: "timeline.physicsPeriodS",
    what: `a step of ${stepS} s is too long for a contact of ${bounceRadS} rad/s`,
    fix: `use a physics period of at most ${CONTACT_STEP_RATIO / bounceRadS} s, or integrator = "rk45"`,
  });
};

const actuatorsAreResolved: Rule = (flown, complaints) => {
  const stepS = fixedStepS(flown);
  if (stepS === undefined) return;
  for (const key of ["motorActuator", "servoActuator"] as const) {
    const { kind, naturalRadS, tauS } = flown.vehicle[key];
    const bandwidth = kind === "secondOrder" ? naturalRadS : kind === "firstOrder" ? 1 / tauS : 0;
    if (bandwidth * stepS <= ACTUATOR_STEP_RATIO) continue;
    complaints.push({
      code: "fastActuator",
      key: `vehicle.${key}`,
      what: `a step of ${stepS} s is too long for an actuator of ${bandwidth} rad/s`,
      fix: `use a physics period of at most ${ACTUATOR_STEP_RATIO / bandwidth} s, or an adaptive integrator`,
    });
  }
};

/** Motors that an event speaks of must exist. */
const faultsFitTheVehicle: Rule = ({ scenario, vehicle }, complaints) => {
  scenario.forEach(({ params }, index) => {
    const { motor, battery } = params as { motor?: number; battery?: number };
    if (motor !== undefined && motor > vehicle.rotors.length) {
      complaints.push({
        code: "inconsistent",
        key: `scenario[${index}]`,
        what: `there is no motor ${motor}; the vehicle has ${vehicle.rotors.length}`,
        fix: `a motor from 1 to ${vehicle.rotors.length}`,
      });
    }
    if (battery !== undefined && battery > vehicle.batteries.length) {
      complaints.push({
        code: "inconsistent",
        key: `scenario[${index}]`,
        what: `there is no battery ${battery}; the vehicle has ${vehicle.batteries.length}`,
        fix: `a battery from 1 to ${vehicle.batteries.length}, or 0 for all`,
      });
    }
  });
};

/** An attitude loop slower than this flies nothing; the original's PX4 loops run at 250 Hz. */
const SLOWEST_AUTOPILOT_US = 20000;

const autopilotIsFastEnough: Rule = ({ timeline, autopilot }, complaints) => {
  const periodUs = secondsToUs(timeline.autopilotPeriodS);
  if (autopilot.kind !== "embedded" || periodUs <= SLOWEST_AUTOPILOT_US) return;
  complaints.push({
    code: "strictRates",
    key: "timeline.autopilotPeriodS",
    what: `${timeline.autopilotPeriodS} s is slower than the slowest rate loop that PX4 allows, ${SLOWEST_AUTOPILOT_US / 1e6} s`,
    fix: `use at most ${SLOWEST_AUTOPILOT_US / 1e6} s (0.004 s is usual), or strictRates = false`,
  });
};

const RULES: readonly Rule[] = [periodsAreMultiples, contactIsResolved, actuatorsAreResolved, faultsFitTheVehicle];

export function checkConsistency(flown: Flown, strictRates: boolean, complaints: FlightComplaint[]): void {
  for (const rule of RULES) rule(flown, complaints);
  if (strictRates) autopilotIsFastEnough(flown, complaints);
}
