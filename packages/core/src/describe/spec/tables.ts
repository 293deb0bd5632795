/**
 * The sections of a flight description that are not kinds: timeline, environment, mission, stop rules, outputs.
 *
 * Checks, defaults, JSON Schema, `list`, `init` and the docs all derive from these tables.
 */
import { defineParams } from "../../params/index.ts";
import {
  above,
  boolean,
  choice,
  closed,
  duration,
  durationOrZero,
  integer,
  number,
  section,
  text,
} from "../../params/rows.ts";
import { originParams, projectionKinds } from "../../world/geodesy/index.ts";
import { MAGNETIC_EPOCH } from "../../world/magnetic/index.ts";

export const timelineTable = defineParams({
  endS: durationOrZero("Latest end of the flight.", 120),
  autopilotPeriodS: duration("Period of the autopilot.", 0.004),
  physicsPeriodS: durationOrZero(
    "Period of the physics ticks, between which the integrator runs; 0 for none. Fixed-step integrators use 0.001 if no period is given. If no integrator is named, a period above 0 selects rk4.",
    0,
  ),
  windPeriodS: duration("Period at which the wind is updated.", 0.02),
  logPeriodS: duration("Period of the log rows; every log tick is a boundary.", 0.02),
  scenarioPeriodS: durationOrZero(
    "Period at which conditions are checked; 0 for the autopilot's period. Crossings are located between checks.",
    0,
  ),
});

export const environmentTable = defineParams({
  origin: section(originParams, "Origin of the local frame: the point at which it touches the Earth.", {}),
  projection: choice(
    projectionKinds.map(({ name }) => name),
    "How latitude and longitude are projected onto the local plane.",
    "px4",
  ),
  magneticYear: number(
    "year",
    closed(MAGNETIC_EPOCH.from, MAGNETIC_EPOCH.to),
    "Date of the magnetic field, as a decimal year; the World Magnetic Model 2025 covers 2025 to 2030.",
    2026,
  ),
  ceilingM: number(
    "m",
    closed(0, 1e5),
    "Height of a ceiling over the ground. Near it the rotors give more thrust; it does not stop the vehicle. 0 for none.",
    0,
  ),
});

export const missionTiming = defineParams({
  armAtS: durationOrZero("Time at which arming is requested.", 1),
  startAtS: durationOrZero("Time at which mission mode is requested.", 2),
});

export const stopTable = defineParams({
  crashSpeedMps: number("m/s", above(0), "Touching the ground faster than this is a crash.", 3),
  crashTiltDeg: number("deg", closed(0, 180), "Touching the ground with more tilt than this is a crash.", 100),
  onCrash: boolean("Whether a crash ends the flight.", true),
  afterLandingS: durationOrZero("A mission ends this long after the vehicle has landed and disarmed.", 2),
  onLanding: boolean("Whether landing and disarming ends a mission.", true),
});

export const generalTable = defineParams({
  name: text("Name of the flight in summaries.", "flight"),
  about: text("One sentence that describes the flight.", ""),
  seed: integer("1", closed(0, Number.MAX_SAFE_INTEGER), "Seed of every random stream.", 1),
  commandPolicy: choice(["strict", "clamp"], "What happens to a command that is not finite or out of range.", "strict"),
  strictRates: boolean("Reject periods that would slow down a control loop.", true),
});

/** The keys of a vehicle that do not affect the flight. */
export const vehicleTextTable = defineParams({
  about: text("One sentence that describes the vehicle.", ""),
});

/** One requirement of a flight. A bare text is short for a table with the key `text`. */
export const requirementTable = defineParams({
  text: text("The requirement, e.g. `never tilt > 60 deg`."),
  name: text("Name of the requirement in results; the text if empty.", ""),
  severity: choice(["error", "warning"], "Whether a violation fails the flight, or is only reported.", "error"),
  mustOccur: boolean(
    "Whether the requirement fails if the event or condition that it refers to never occurs. By default true if it begins at an event.",
    true,
  ),
});

/** Settings of a run. None of them changes any bit of the result. */
export const outputsTable = defineParams({
  logs: {
    type: "sections",
    default: [],
    maxLength: 16,
    about: "Log files; the suffix selects the format: .csv, .ulg, .mcap, .h5, .parquet.",
    table: {
      file: text("Path of the log, relative to the file that names it."),
      everyRows: integer("count", closed(1, 1e6), "Writes every n-th row of the log.", 1),
      columns: { type: "texts", maxLength: 1024, default: [], about: "Columns to write; all if empty." },
    },
  },
  recording: text("File for the recording (.mcap), from which a flight can be replayed; none if empty.", ""),
  picture: text("File for a picture of track and altitude (.svg or .png); none if empty.", ""),
  paceX: number(
    "x real time",
    closed(0, 1e6),
    "Flight seconds per second of wall time: 1 for real time, 0 for full speed.",
    0,
  ),
  overwrite: boolean("Whether existing files are replaced.", false),
});
