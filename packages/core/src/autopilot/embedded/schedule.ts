/**
 * The schedule of the autopilot's parts: each runs at every n-th tick, with a phase in ticks.
 *
 * It uses only whole numbers, so that no rate drifts. A period that is not a multiple of the tick is an error that
 * names the nearest multiples; a period of zero in the options selects the preset's period.
 */
import { secondsToUs } from "../../time/index.ts";
import { autopilotErrors } from "../errors.ts";

const BLOCKS = ["navigator", "trajectory", "position", "landDetector"] as const;
export type Block = (typeof BLOCKS)[number];

export const PRESETS = ["default", "px4-library"] as const;
export type Preset = (typeof PRESETS)[number];

/**
 * Nominal periods and phases in µs, intended for a tick of 4 ms; other ticks use the nearest multiple. A nominal period
 * of 0 means every tick.
 */
const PRESET_US: Readonly<Record<Preset, Readonly<Record<Block, readonly [periodUs: number, phaseUs: number]>>>> = {
  // Stock PX4 in simulation limits its trajectory generator to 50 Hz and its navigator to 20 Hz. The navigator's period
  // here is 48 ms, because 50 ms is not a multiple of 4 ms.
  default: {
    navigator: [48000, 0],
    trajectory: [20000, 0],
    position: [8000, 0],
    landDetector: [20000, 0],
  },
  // PX4's lockstep library requests 20 and 100 Hz. At a tick of 4 ms its rate limiter turns these into periods of 52
  // and 12 ms, counted from its first step, which is the tick after t = 0.
  "px4-library": {
    navigator: [52000, 4000],
    trajectory: [0, 0],
    position: [12000, 4000],
    landDetector: [20000, 0],
  },
};

/** Parameter defaults that a preset changes: the library runs no hover-thrust estimator. */
export const PRESET_PARAMETERS: Readonly<Record<Preset, Readonly<Record<string, number>>>> = {
  default: {},
  "px4-library": { MPC_USE_HTE: 0 },
};

export interface ScheduleOptions {
  readonly tickUs: number;
  readonly preset: Preset;
  /** Period in seconds; the preset's if 0 or absent. */
  readonly periodsS?: Partial<Record<Block, number>>;
  /** Phase in ticks; the preset's if absent. */
  readonly phases?: Partial<Record<Block, number>>;
}

/** Period and phase of a part, in ticks. */
interface BlockTicks {
  readonly period: number;
  readonly phase: number;
}

export type Schedule = Readonly<Record<Block, BlockTicks>>;

export function makeSchedule(options: ScheduleOptions): Schedule {
  const ticksOf = (block: Block): BlockTicks => {
    const [nominalUs, phaseUs] = PRESET_US[options.preset][block];
    const periodS = options.periodsS?.[block] ?? 0;
    const period =
      periodS === 0 ? Math.max(1, Math.round(nominalUs / options.tickUs)) : exactTicks(block, periodS, options.tickUs);
    const phase = options.phases?.[block] ?? Math.round(phaseUs / options.tickUs);
    if (!Number.isInteger(phase) || phase < 0) {
      throw autopilotErrors.badSchedule({
        what: `the phase of ${phase} ticks of the ${block} is not a whole number of ticks`,
        where: { key: `autopilot.${block}PhaseTicks` },
        fix: "use a whole number of ticks, 0 or more",
      });
    }
    return { period, phase: phase % period };
  };
  return {
    navigator: ticksOf("navigator"),
    trajectory: ticksOf("trajectory"),
    position: ticksOf("position"),
    landDetector: ticksOf("landDetector"),
  };
}

function exactTicks(block: Block, periodS: number, tickUs: number): number {
  const periodUs = secondsToUs(periodS, `period of the ${block}`);
  const ticks = periodUs / tickUs;
  if (Number.isInteger(ticks) && ticks >= 1) return ticks;
  const below = Math.floor(ticks) * tickUs;
  const above = (Math.floor(ticks) + 1) * tickUs;
  const near = [below, above].filter((us) => us > 0).map((us) => `${us / 1e6} s`);
  throw autopilotErrors.badSchedule({
    what: `the ${block} cannot run every ${periodS} s with a tick of ${tickUs / 1e6} s`,
    where: { key: `autopilot.${block}PeriodS` },
    fix: `use a multiple of the tick: ${near.join(" or ")}`,
  });
}
