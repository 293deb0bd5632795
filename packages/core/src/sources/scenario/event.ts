/**
 * Events as data: a resolved flight lists them and the scenario source executes them.
 *
 * An event has one trigger and one action. Times and windows that are known before the flight become boundaries of
 * their own (law 8); everything else is evaluated when the scenario runs. All defaults are already filled in.
 */
import { type Axis, everyBoundary, firstTickAtOrAfter, listedAxis, periodicAxis, unionAxis } from "../../time/index.ts";
import { bitAt } from "../../engine/index.ts";
import type { ParamsOf, ParamTable } from "../../params/index.ts";
import { type ActionName, variesInTime } from "./actions.ts";
import type { Condition } from "./condition.ts";
import { movementTimesUs } from "./stick-series.ts";

/** Fires at a time, or at the first boundary after it. */
interface TimeTrigger {
  readonly at: "time";
  readonly tUs: number;
}

/** Fires at the boundary with this number; the first is 0. */
interface StepTrigger {
  readonly at: "step";
  readonly boundary: number;
}

/**
 * Fires when a condition has held for `holdUs`. The action follows `afterUs` later, at the next multiple of `snapUs`.
 */
export interface ConditionTrigger {
  readonly at: "condition";
  readonly condition: Condition;
  /** Time at which evaluation of the condition begins; the start if absent. */
  readonly fromUs?: number;
  readonly holdUs: number;
  readonly hysteresis: number;
  readonly afterUs: number;
  /** 0 if the action does not wait for a multiple. */
  readonly snapUs: number;
}

export interface ScenarioEvent {
  /** Unique in the scenario. No bit of the flight depends on the name or the note. */
  readonly name?: string;
  readonly note?: string;
  readonly trigger: TimeTrigger | StepTrigger | ConditionTrigger;
  /** Length of the effect's window; absent if it never ends. */
  readonly forUs?: number;
  /** Whether the condition may fire again after it has become false by more than its hysteresis. */
  readonly repeats: boolean;
  readonly action: ActionName;
  readonly params: ParamsOf<ParamTable>;
}

/**
 * Returns the order in which events are examined at one boundary: by time, then as listed; steps and conditions last.
 */
export function examinationOrder(events: readonly Partial<Pick<ScenarioEvent, "trigger">>[]): number[] {
  const timeOf = (i: number) => {
    const { trigger } = events[i]!;
    return trigger?.at === "time" ? trigger.tUs : Infinity;
  };
  return [...events.keys()].sort((a, b) => (timeOf(a) === timeOf(b) ? a - b : timeOf(a) - timeOf(b)));
}

/** A parameter change: the index of its event, and its bit in `parameterChanges`. */
interface ParameterEvent {
  readonly index: number;
  readonly bit: number;
}

/**
 * Returns the parameter changes in the order in which they act. If two act between the same two ticks of the
 * autopilot, the later one wins. Bits follow the order of the list, so that an appended event moves no bit.
 */
export function parameterEvents(events: readonly ScenarioEvent[]): ParameterEvent[] {
  const listed = [...events.keys()].filter((i) => events[i]!.action === "parameter");
  const order = examinationOrder(events).filter((i) => listed.includes(i));
  return order.map((index) => ({ index, bit: bitAt(listed.indexOf(index)) }));
}

/** Returns all times that are known before the flight. */
function scheduledTimes(events: readonly ScenarioEvent[]): number[] {
  return events.flatMap(({ trigger, forUs, action, params }) => {
    if (trigger.at === "condition") return trigger.fromUs ?? [];
    if (trigger.at !== "time") return [];
    const { tUs } = trigger;
    if (action === "sticks") return [tUs, ...movementTimesUs(params).map((afterUs) => tUs + afterUs)];
    return forUs === undefined ? [tUs] : [tUs, tUs + forUs];
  });
}

/** Returns the time from which the event needs the scenario to run periodically; infinite if it never does. */
function periodicFromUs({ trigger, action, params }: ScenarioEvent, startUs: number): number {
  if (trigger.at === "condition") return trigger.fromUs ?? startUs;
  return trigger.at === "time" && variesInTime(action, params) ? trigger.tUs : Infinity;
}

/**
 * Returns the axis of the scenario. It runs at the start and at all known times. If it has conditions, or effects that
 * change with time, it also runs at the given period, or at every boundary without one. If an event counts boundaries,
 * it runs at all of them.
 *
 * The periodic ticks are multiples of the period after the start, and begin when the first condition or varying effect
 * begins. So an added event adds no ticks before it begins, and a flight with this event can continue from a
 * checkpoint of the flight without it.
 */
export function scenarioAxis(events: readonly ScenarioEvent[], startUs: number, periodUs?: number): Axis {
  const scheduled = listedAxis([startUs, ...scheduledTimes(events)]);
  if (events.some(({ trigger }) => trigger.at === "step")) return unionAxis(scheduled, everyBoundary);
  const fromUs = events.reduce((earliest, event) => Math.min(earliest, periodicFromUs(event, startUs)), Infinity);
  if (fromUs === Infinity) return scheduled;
  if (periodUs === undefined) return unionAxis(scheduled, everyBoundary);
  const firstUs = firstTickAtOrAfter(periodicAxis({ startUs, periodUs }), fromUs);
  return unionAxis(scheduled, periodicAxis({ startUs: firstUs, periodUs }));
}
