/**
 * The events that every flight has by default: they arm the vehicle, start its mission, and apply the stop rules.
 *
 * They are ordinary scenario events in the ordinary format, so they can be read, listed and replayed.
 */
import { type Condition, parseCondition } from "../../sources/scenario/index.ts";
import { secondsToUs } from "../../time/index.ts";
import { invariant } from "../../errors/index.ts";
import type { ParamsOf } from "../../params/index.ts";
import type { ResolvedEvent } from "./scenario-spec.ts";
import type { missionTiming, stopTable } from "../spec/tables.ts";

/** The largest number of these events: two for a mission and three stop rules. */
export const MAX_STANDING_EVENTS = 5;

export function missionEvents(timing: ParamsOf<typeof missionTiming>): ResolvedEvent[] {
  return [
    { trigger: { at: "time", tUs: secondsToUs(timing.armAtS) }, repeats: false, action: "arm", params: {} },
    { trigger: { at: "time", tUs: secondsToUs(timing.startAtS) }, repeats: false, action: "mission", params: {} },
  ];
}

export function stopEvents(rules: ParamsOf<typeof stopTable>, hasMission: boolean): ResolvedEvent[] {
  const events: ResolvedEvent[] = [];
  if (rules.onCrash) {
    events.push(stopWhen(`impactMps > ${rules.crashSpeedMps}`, 0, "crashed", "hit the ground"));
    events.push(
      stopWhen(`touching == 1 and tiltDeg > ${rules.crashTiltDeg}`, 0, "crashed", "turned over on the ground"),
    );
  }
  if (hasMission && rules.onLanding) {
    const holdUs = secondsToUs(rules.afterLandingS);
    events.push(stopWhen("hasFlown == 1 and landed == 1 and armed == 0", holdUs, "completed", "landed and disarmed"));
  }
  return events;
}

function stopWhen(text: string, holdUs: number, outcome: string, reason: string): ResolvedEvent {
  const condition = parseCondition(text);
  invariant(Array.isArray(condition), `the stop rule "${text}" cannot be parsed`);
  return {
    trigger: { at: "condition", condition: condition as Condition, holdUs, hysteresis: 0, afterUs: 0, snapUs: 0 },
    repeats: false,
    action: "stop",
    params: { outcome, reason },
  };
}
