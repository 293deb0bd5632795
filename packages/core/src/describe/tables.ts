/**
 * The sections of a flight description that are not kinds: timeline, environment, mission, stop rules, outputs.
 *
 * Checks, defaults, JSON Schema, `list`, `init` and the docs all derive from these tables.
 */
import { defineParams } from "../params/index.ts";
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
} from "../params/rows.ts";
import { originParams, projectionKinds } from "../world/geodesy/index.ts";

export const timelineTable = defineParams({
  endS: durationOrZero("Latest end of the flight.", 120),
  autopilotPeriodS: duration("The autopilot's tick.", 0.004),
  physicsPeriodS: durationOrZero(
    "One integration interval a tick; 0 leaves the integrator free between the other boundaries, and is the default of adaptive ones.",
    0.001,
  ),
  windPeriodS: duration("How often the wind changes.", 0.02),
  logPeriodS: duration("How often a row is logged; log ticks are boundaries.", 0.02),
  scenarioPeriodS: durationOrZero(
    "How often conditions are looked at; 0 takes the autopilot's period. Crossings are located in between.",
    0,
  ),
});

export const environmentTable = defineParams({
  origin: section(originParams, "Where the local frame touches the Earth.", {}),
  projection: choice(
    projectionKinds.map(({ name }) => name),
    "How latitude and longitude are laid on the local plane.",
    "px4",
  ),
});

export const missionTiming = defineParams({
  armAtS: durationOrZero("When arming is asked for.", 1),
  startAtS: durationOrZero("When mission mode is asked for.", 2),
});

export const stopTable = defineParams({
  crashSpeedMps: number("m/s", above(0), "Touching the ground faster than this is a crash.", 3),
  crashTiltDeg: number("deg", closed(0, 180), "Touching the ground with more tilt than this is a crash.", 100),
  onCrash: boolean("Whether a crash ends the flight.", true),
  afterLandingS: durationOrZero("A mission ends this long after the vehicle has landed and disarmed.", 2),
  onLanding: boolean("Whether landing and disarming ends a mission.", true),
});

export const generalTable = defineParams({
  name: text("How the summary calls it.", "flight"),
  about: text("One sentence on what it shows.", ""),
  seed: integer("1", closed(0, Number.MAX_SAFE_INTEGER), "Seed of every random stream.", 1),
  commandPolicy: choice(["strict", "clamp"], "What happens to a command that is not finite or out of range.", "strict"),
  strictRates: boolean("Whether cadences that silently slow a loop down are errors.", true),
});

/** Settings of a run. None of them changes any bit of the result. */
export const outputsTable = defineParams({
  logs: {
    type: "sections",
    default: [],
    maxLength: 16,
    about: "Log files; their kind is told by the end of the name: .csv, .ulg, .mcap, .h5, .parquet.",
    table: {
      file: text("Where to write it, relative to the file that says so."),
      everyRows: integer("count", closed(1, 1e6), "Takes every n-th row of the log.", 1),
      columns: { type: "texts", maxLength: 1024, default: [], about: "Columns to write; all when empty." },
    },
  },
  recording: text("File for the recording (.mcap), from which a flight can be replayed; none when empty.", ""),
  picture: text("File for a picture of track and altitude (.svg or .png); none when empty.", ""),
  paceX: number("x real time", closed(0, 1e6), "Keeps to the wall clock: 1 is real time, 0 as fast as it goes.", 0),
  overwrite: boolean("Whether files that are there already are replaced.", false),
});
