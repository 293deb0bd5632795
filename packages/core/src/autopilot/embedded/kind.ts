/**
 * The embedded autopilot as a kind: its settings besides PX4's own parameters. A flight lists PX4's parameters under
 * `parameters`, and they reach the autopilot through the context.
 */
import { defineKind, defineParams } from "../../params/index.ts";
import { atLeast, choice, durationOrZero, integer } from "../../params/rows.ts";
import type { Source } from "../../engine/contracts.ts";
import type { AutopilotContext } from "../context.ts";
import { EmbeddedAutopilot } from "./autopilot.ts";
import { PRESETS, type Block, type Preset } from "./schedule.ts";

// prettier-ignore
const params = defineParams({
  schedule: choice(PRESETS, "Default periods, phases and filters: \"px4-library\" runs as PX4's lockstep library does at a tick of 4 ms.", "default"),
  navigatorPeriodS: durationOrZero("Period of the navigator, a multiple of the tick; 0 uses the schedule's period.", 0),
  trajectoryPeriodS: durationOrZero("Period of the trajectory generator, a multiple of the tick; 0 uses the schedule's period.", 0),
  positionPeriodS: durationOrZero("Period of position control, a multiple of the tick; 0 uses the schedule's period.", 0),
  landDetectorPeriodS: durationOrZero("Period of the land detector, a multiple of the tick; 0 uses the schedule's period.", 0),
  navigatorPhaseTicks: integer("ticks", atLeast(-1), "First tick of the navigator; −1 uses the schedule's phase.", -1),
  positionPhaseTicks: integer("ticks", atLeast(-1), "First tick of position control; −1 uses the schedule's phase.", -1),
  gyroFilter: choice(["schedule", "on", "off"], "PX4's low-pass filters on body rates; the default schedule has them on, \"px4-library\" off.", "schedule"),
});

export const embedded = defineKind({
  name: "embedded",
  about: "Flies missions, returns, holds and lands by PX4's control laws and parameters; needs no installation.",
  version: 1,
  params,
  make: (chosen, context: AutopilotContext): Source<"autopilot"> => {
    const preset = chosen.schedule as Preset;
    const phases: Partial<Record<Block, number>> = {};
    if (chosen.navigatorPhaseTicks >= 0) phases.navigator = chosen.navigatorPhaseTicks;
    if (chosen.positionPhaseTicks >= 0) phases.position = chosen.positionPhaseTicks;
    return new EmbeddedAutopilot(context, {
      preset,
      periodsS: {
        navigator: chosen.navigatorPeriodS,
        trajectory: chosen.trajectoryPeriodS,
        position: chosen.positionPeriodS,
        landDetector: chosen.landDetectorPeriodS,
      },
      phases,
      gyroFilter: chosen.gyroFilter === "schedule" ? preset === "default" : chosen.gyroFilter === "on",
    });
  },
});
