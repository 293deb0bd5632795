/** The top-level keys of a flight description, the kinds it uses by default, and how its layers merge. */
import type { MergeRules } from "./layers.ts";

/** The sections that a description and a flight definition have in common. */
export const DEFINED_SECTIONS = [
  "vehicle",
  "environment",
  "timeline",
  "wind",
  "integrator",
  "estimator",
  "sensors",
  "autopilot",
  "mission",
  "scenario",
] as const;

export const TOP_KEYS = [
  "extends",
  "replace",
  ...DEFINED_SECTIONS,
  "stop",
  "requirements",
  "alsoRequire",
  "outputs",
] as const;

/** The kinds to use if the description names none. */
export const DEFAULT_KINDS = {
  wind: "ou",
  integrator: "rk43",
  estimator: "ekf-like",
  autopilot: "embedded",
  atmosphere: "us76",
  gravity: "wgs84",
} as const;

/**
 * The integrator of a description that names none but sets a physics period, which only fixed-step integrators need.
 */
export const DEFAULT_FIXED_STEP_INTEGRATOR = "rk4";
/** The physics period of integrators that do not choose their own steps. */
export const DEFAULT_PHYSICS_PERIOD_S = 0.001;

export const FLIGHT_RULES: MergeRules = {
  shorthand: {
    vehicle: "extends",
    wind: "kind",
    integrator: "kind",
    estimator: "kind",
    autopilot: "kind",
    mission: "file",
    "environment.atmosphere": "kind",
    "environment.gravity": "kind",
  },
  defaultKinds: {
    wind: DEFAULT_KINDS.wind,
    integrator: DEFAULT_KINDS.integrator,
    estimator: DEFAULT_KINDS.estimator,
    autopilot: DEFAULT_KINDS.autopilot,
    "environment.atmosphere": DEFAULT_KINDS.atmosphere,
    "environment.gravity": DEFAULT_KINDS.gravity,
  },
  // All autopilots with parameters use PX4's names, so keep the parameters if a layer names another autopilot.
  keptForEveryKind: { autopilot: ["parameters", "parametersFile"] },
  alternatives: { mission: [["file"], ["items", "home", "fence", "rally"]] },
  appended: ["scenario", "alsoRequire"],
  alwaysAppended: ["alsoRequire"],
};
