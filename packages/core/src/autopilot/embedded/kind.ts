/**
 * The embedded autopilot as a kind: its settings besides PX4's own parameters. A flight lists PX4's parameters under
 * `parameters`, and they reach the autopilot through the context.
 */
import { defineKind, defineParams } from "../../params/index.ts";
import type { Source } from "../../engine/contracts.ts";
import type { AutopilotContext } from "../context.ts";
import { EmbeddedAutopilot } from "./autopilot.ts";
import { PRESETS, type Block, type Preset } from "./schedule.ts";

// prettier-ignore
const params = defineParams({
  schedule: { type: "choice", options: PRESETS, default: "default", about: "Which periods, phases and filters apply where nothing else is said: \"px4-library\" runs as PX4's lockstep library does at a tick of 4 ms." },
  navigatorPeriodS: { type: "duration", unit: "s", zero: true, default: 0, about: "Period of the navigator, a multiple of the tick; 0 takes the schedule's." },
  trajectoryPeriodS: { type: "duration", unit: "s", zero: true, default: 0, about: "Period of the trajectory generator, a multiple of the tick; 0 takes the schedule's." },
  positionPeriodS: { type: "duration", unit: "s", zero: true, default: 0, about: "Period of position control, a multiple of the tick; 0 takes the schedule's." },
  landDetectorPeriodS: { type: "duration", unit: "s", zero: true, default: 0, about: "Period of the land detector, a multiple of the tick; 0 takes the schedule's." },
  navigatorPhaseTicks: { type: "number", unit: "ticks", integer: true, min: -1, default: -1, about: "First tick of the navigator; −1 takes the schedule's." },
  positionPhaseTicks: { type: "number", unit: "ticks", integer: true, min: -1, default: -1, about: "First tick of position control; −1 takes the schedule's." },
  gyroFilter: { type: "choice", options: ["schedule", "on", "off"], default: "schedule", about: "PX4's low-pass filters on body rates; the default schedule has them on, \"px4-library\" off." },
});

export const embedded = defineKind({
  name: "embedded",
  about: "Flies missions, returns, holds and lands by PX4's control laws and parameters, with nothing installed.",
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
