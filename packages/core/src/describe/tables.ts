/**
 * The sections of a flight description that are not kinds: timeline, environment, mission, stop rules, outputs.
 *
 * Checks, defaults, JSON Schema, `list`, `init` and the docs all derive from these tables.
 */
import { defineParams } from "../params/index.ts";
import { originParams, projectionKinds } from "../world/geodesy/index.ts";

export const timelineTable = defineParams({
  endS: { type: "duration", unit: "s", zero: true, default: 120, about: "Latest end of the flight." },
  autopilotPeriodS: { type: "duration", unit: "s", default: 0.004, about: "The autopilot's tick." },
  physicsPeriodS: {
    type: "duration",
    unit: "s",
    zero: true,
    default: 0.001,
    about:
      "One integration interval a tick; 0 leaves the integrator free between the other boundaries, and is the default of adaptive ones.",
  },
  windPeriodS: { type: "duration", unit: "s", default: 0.02, about: "How often the wind changes." },
  logPeriodS: {
    type: "duration",
    unit: "s",
    default: 0.02,
    about: "How often a row is logged; log ticks are boundaries.",
  },
  scenarioPeriodS: {
    type: "duration",
    unit: "s",
    zero: true,
    default: 0,
    about: "How often conditions are looked at; 0 takes the autopilot's period. Crossings are located in between.",
  },
});

export const environmentTable = defineParams({
  origin: { type: "section", table: originParams, default: {}, about: "Where the local frame touches the Earth." },
  projection: {
    type: "choice",
    options: projectionKinds.map(({ name }) => name),
    default: "px4",
    about: "How latitude and longitude are laid on the local plane.",
  },
});

export const missionTiming = defineParams({
  armAtS: { type: "duration", unit: "s", zero: true, default: 1, about: "When arming is asked for." },
  startAtS: { type: "duration", unit: "s", zero: true, default: 2, about: "When mission mode is asked for." },
});

export const stopTable = defineParams({
  crashSpeedMps: {
    type: "number",
    unit: "m/s",
    min: 0,
    open: true,
    default: 3,
    about: "Touching the ground faster than this is a crash.",
  },
  crashTiltDeg: {
    type: "number",
    unit: "deg",
    min: 0,
    max: 180,
    default: 100,
    about: "Touching the ground with more tilt than this is a crash.",
  },
  onCrash: { type: "boolean", default: true, about: "Whether a crash ends the flight." },
  afterLandingS: {
    type: "duration",
    unit: "s",
    zero: true,
    default: 2,
    about: "A mission ends this long after the vehicle has landed and disarmed.",
  },
  onLanding: { type: "boolean", default: true, about: "Whether landing and disarming ends a mission." },
});

export const generalTable = defineParams({
  name: { type: "text", default: "flight", about: "How the summary calls it." },
  about: { type: "text", default: "", about: "One sentence on what it shows." },
  seed: {
    type: "number",
    unit: "1",
    integer: true,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: 1,
    about: "Seed of every random stream.",
  },
  commandPolicy: {
    type: "choice",
    options: ["strict", "clamp"],
    default: "strict",
    about: "What happens to a command that is not finite or out of range.",
  },
  strictRates: {
    type: "boolean",
    default: true,
    about: "Whether cadences that silently slow a loop down are errors.",
  },
});

/** Settings of a run. None of them changes any bit of the result. */
export const outputsTable = defineParams({
  logs: {
    type: "sections",
    default: [],
    maxLength: 16,
    about: "Log files; their kind is told by the end of the name: .csv, .ulg, .mcap, .h5, .parquet.",
    table: {
      file: { type: "text", about: "Where to write it, relative to the file that says so." },
      everyRows: {
        type: "number",
        unit: "count",
        integer: true,
        min: 1,
        max: 1e6,
        default: 1,
        about: "Takes every n-th row of the log.",
      },
      columns: { type: "texts", maxLength: 1024, default: [], about: "Columns to write; all when empty." },
    },
  },
  recording: {
    type: "text",
    default: "",
    about: "File for the recording (.mcap), from which a flight can be replayed; none when empty.",
  },
  picture: {
    type: "text",
    default: "",
    about: "File for a picture of track and altitude (.svg or .png); none when empty.",
  },
  paceX: {
    type: "number",
    unit: "x real time",
    min: 0,
    max: 1e6,
    default: 0,
    about: "Keeps to the wall clock: 1 is real time, 0 as fast as it goes.",
  },
  overwrite: { type: "boolean", default: false, about: "Whether files that are there already are replaced." },
});
