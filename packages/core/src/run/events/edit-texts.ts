/**
 * The texts of edits: the changes of a branch as short phrases like `motor 2 off`.
 *
 * An action without its own phrase is written as in a description: its name and its parameters.
 */
import type { FlightEdit } from "../../describe/definition/family.ts";
import type { ResolvedEvent } from "../../describe/sections/scenario-spec.ts";
import type { ParamsOf } from "../../params/index.ts";
import { type ActionName, type ACTIONS, conditionText } from "../../sources/scenario/index.ts";
import { EVENT_TEXTS } from "./event-texts.ts";

type Params<K extends ActionName> = ParamsOf<(typeof ACTIONS)[K]["params"]>;
type ActionTexts = { readonly [K in ActionName]?: (params: Params<K>) => string };

const ACTION_TEXTS: ActionTexts = {
  gust: ({ velNedMps }) => `gust ${vectorText(velNedMps)} m/s`,
  windMean: ({ velNedMps }) => `wind + ${vectorText(velNedMps)} m/s`,
  motorOff: EVENT_TEXTS.motorOff,
  motorLoss: EVENT_TEXTS.motorLoss,
  motorStuck: EVENT_TEXTS.motorStuck,
  motorJam: EVENT_TEXTS.motorJammed,
  propellerImbalance: EVENT_TEXTS.propellerUnbalanced,
  propellerChip: EVENT_TEXTS.propellerChipped,
  motorNoise: ({ motor, sigma }) => `motor ${motor} noisy, sigma ${sigma}`,
  motorOn: EVENT_TEXTS.motorHealthy,
  batteryOff: ({ battery }) => (battery === 0 ? "all batteries cut off" : EVENT_TEXTS.batteryOff({ battery })),
  batteryOn: ({ battery }) => (battery === 0 ? "all batteries connected" : EVENT_TEXTS.batteryOn({ battery })),
  sensorFault: ({ sensor, fault, level }) =>
    EVENT_TEXTS.sensorFault({ sensor, fault }) + (level === 0 ? "" : ` ${level}`),
  parameter: EVENT_TEXTS.parameter,
  stop: ({ outcome, reason }) => `stop: ${outcome}, ${reason}`,
};

/** Returns one phrase per change. The phrase of a change that is not at the fork begins with its time. */
export function editTexts({ added, removed, endS, forkUs }: FlightEdit): string[] {
  const text = (event: ResolvedEvent) => {
    const when = triggerText(event, forkUs);
    return when === "" ? scenarioEventText(event) : `${when}: ${scenarioEventText(event)}`;
  };
  return [
    ...removed.map((event) => `without "${text(event)}"`),
    ...added.map(text),
    ...(endS === undefined ? [] : [`the timeline ends at ${endS} s`]),
  ];
}

/** Returns an event of a description as a phrase, without its trigger. */
function scenarioEventText({ action, params, forUs }: ResolvedEvent): string {
  const own = ACTION_TEXTS[action] as ((params: ResolvedEvent["params"]) => string) | undefined;
  const text = own === undefined ? [action, ...paramTexts(params)].join(" ") : own(params);
  return forUs === undefined ? text : `${text} for ${forUs / 1e6} s`;
}

/** Describes when an event happens; empty if it happens at the fork. */
function triggerText({ trigger }: ResolvedEvent, forkUs: number): string {
  if (trigger.at === "time") return trigger.tUs === forkUs ? "" : `at ${trigger.tUs / 1e6} s`;
  if (trigger.at === "step") return `at boundary ${trigger.boundary}`;
  const { condition, fromUs = 0 } = trigger;
  return `when ${conditionText(condition)}${fromUs === forkUs ? "" : ` from ${fromUs / 1e6} s`}`;
}

function paramTexts(params: ResolvedEvent["params"]): string[] {
  return Object.entries(params).map(
    ([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
}

function vectorText(vector: readonly number[]): string {
  return `[${vector.join(", ")}]`;
}
