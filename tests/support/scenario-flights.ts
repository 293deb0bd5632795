/**
 * Flights for tests of the scenario: points whose motion has a closed form, events in one line, and the history of
 * every signal.
 */
import { expect } from "vitest";
import { type Flight, flightLoop, type Plant, type Dims, type SignalName } from "./core.ts";
import { checkParams, type Diagnostic } from "../../packages/core/src/params/index.ts";
import { type Block, StateLayout } from "../../packages/core/src/state/index.ts";
import {
  ACTIONS,
  type ActionName,
  type Condition,
  type ConditionTrigger,
  parseCondition,
  Scenario,
  type ScenarioEvent,
} from "../../packages/core/src/sources/scenario/index.ts";
import { flightOf, integrator, scalarBlock, source, watcher } from "./flights.ts";

const DIMS: Dims = { rotors: 4, batteries: 2, buses: 1 };
const vectorBlock = (name: string, unit: string): Block => ({ ...scalarBlock(name, unit), size: 3 });

/** Makes a point that is thrown upward from a height: altitude h(t) = h0 + v·t − a·t²/2. */
export function thrown({
  height = 0,
  upMps = 1,
  gravity = 0,
}: { height?: number; upMps?: number; gravity?: number } = {}): Plant {
  return {
    layout: new StateLayout([vectorBlock("posNed", "m"), vectorBlock("velNed", "m/s")]),
    initialInto: (x) => x.set([0, 0, -height, 0, 0, -upMps]),
    derivativesInto(dx, _timeS, x) {
      dx.set(x.subarray(3, 6));
      dx.set([0, 0, gravity], 3);
    },
  };
}

/** Makes a point whose altitude is cos(ωt). */
export function bobbing(omega: number): Plant {
  return {
    ...thrown(),
    initialInto: (x) => x.set([0, 0, -1, 0, 0, 0]),
    derivativesInto(dx, _timeS, x) {
      dx.set(x.subarray(3, 6));
      dx.set([0, 0, -omega * omega * x[2]!], 3);
    },
  };
}

interface EventOptions {
  readonly forUs?: number;
  readonly repeats?: boolean;
}

export function event(
  trigger: ScenarioEvent["trigger"],
  action: ActionName,
  given: Record<string, unknown> = {},
  options: EventOptions = {},
): ScenarioEvent {
  const diagnostics: Diagnostic[] = [];
  const { bit, replaces = [], ...rest } = given;
  const params = checkParams(ACTIONS[action].params, rest, diagnostics);
  expect(diagnostics).toEqual([]);
  return {
    trigger,
    repeats: false,
    action,
    params: (bit === undefined ? params : { ...params, bit, replaces }) as ScenarioEvent["params"],
    ...options,
  };
}

export const at = (tUs: number) => ({ at: "time", tUs }) as const;
export const step = (boundary: number) => ({ at: "step", boundary }) as const;
export const when = (text: string, more: Partial<ConditionTrigger> = {}): ConditionTrigger => ({
  at: "condition",
  condition: parseCondition(text) as Condition,
  holdUs: 0,
  hysteresis: 0,
  afterUs: 0,
  snapUs: 0,
  ...more,
});

export interface FlyOptions {
  readonly plant?: Plant;
  readonly endUs?: number;
  readonly periodUs?: number;
  readonly physicsPeriodUs?: number;
  readonly method?: string;
  readonly seed?: number;
  /** Signals of other sources, as functions of time. */
  readonly signals?: (tUs: number) => Partial<Record<"missionIndex" | "armed", number>>;
  readonly autopilotPeriodUs?: number;
}

export function build(events: readonly ScenarioEvent[], options: FlyOptions = {}) {
  const {
    plant = thrown(),
    endUs = 3_000_000,
    physicsPeriodUs,
    method = "rk4",
    seed = 1,
    signals,
    autopilotPeriodUs = 100_000,
  } = options;
  const scenario = new Scenario({
    events,
    layout: plant.layout,
    seed,
    startUs: 0,
    ...(options.periodUs === undefined ? {} : { periodUs: options.periodUs }),
  });
  const rows: { tUs: number; bus: Float64Array; x: Float64Array }[] = [];
  /** Times at which the scenario was idle. */
  const idleUs: number[] = [];
  const flight: Flight = flightOf({
    endUs,
    dims: DIMS,
    plant,
    scenario,
    integrator: integrator(method),
    autopilot: source("autopilot", autopilotPeriodUs, (clock, bus) => {
      const values = signals?.(clock.us) ?? {};
      bus.missionIndex[0] = values.missionIndex ?? 0;
      bus.armed[0] = values.armed ?? 0;
    }),
    ...(physicsPeriodUs === undefined ? {} : { physicsPeriodUs }),
    observers: [
      watcher(({ frame, bus, stateSize, isScenarioIdle }) => {
        rows.push({ tUs: frame[0]!, bus: bus.slice(), x: frame.slice(1, 1 + stateSize) });
        if (isScenarioIdle === true) idleUs.push(frame[0]!);
      }),
    ],
  });
  return { flight, rows, scenario, idleUs };
}

/** Flies, and returns the boundaries and the history of each signal. */
export function flyScenario(events: readonly ScenarioEvent[], options: FlyOptions = {}) {
  const { flight, rows } = build(events, options);
  const loop = flightLoop(flight);
  let end = loop.next();
  while (end.done !== true) end = loop.next();
  const read = (name: SignalName, row: (typeof rows)[number]) => {
    const { offset, size } = flight.bus.layout.find(name);
    return Array.from(row.bus.subarray(offset, offset + size));
  };
  return {
    end: end.value,
    timesUs: rows.map(({ tUs }) => tUs),
    states: rows.map(({ x }) => x),
    /** Value of a signal at a time. */
    at: (name: SignalName, tUs: number) => read(name, rows.filter((row) => row.tUs <= tUs).at(-1)!),
    /** Times at which a signal changed, with its first component. */
    changes: (name: SignalName) => {
      const changes: [number, number][] = [];
      let before: string | undefined;
      for (const row of rows) {
        const value = read(name, row);
        if (before !== undefined && String(value) !== before) changes.push([row.tUs, value[0]!]);
        before = String(value);
      }
      return changes;
    },
  };
}
