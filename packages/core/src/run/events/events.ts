/**
 * Flight events as data: every kind with its severity and its fields.
 *
 * `event-log.ts` detects events and stores each as a time, a kind, two numbers and its cause; `event-texts.ts` has the
 * texts.
 */
import { SENSORS, type SourceMessage, valueName } from "../../engine/index.ts";
import { NAV_LAND } from "../../autopilot/mission.ts";
import type { ScenarioEvent, SettingName } from "../../sources/scenario/index.ts";
import { type MissionItemName, missionItemNames } from "../../describe/definition/item-names.ts";
import type { ResolvedMission } from "../../describe/sections/mission-spec.ts";
import { isChange } from "../../describe/build/setting-changes.ts";
import { settingText } from "./setting-text.ts";

/** `info` reports progress; `warning` reports that something went wrong. */
type EventSeverity = "info" | "warning";

type Nothing = Readonly<Record<string, never>>;
interface Motor {
  /** Number of the motor, from 1. */
  readonly motor: number;
}
interface Battery {
  /** Number of the battery, from 1. */
  readonly battery: number;
}

/** The data of each kind of event. Names of modes, causes, levels and faults come from the signal table. */
export interface EventData {
  readonly armed: Nothing;
  readonly disarmed: Nothing;
  readonly disarmDenied: Nothing;
  readonly mode: { readonly mode: string };
  readonly liftOff: Nothing;
  readonly missionItem: MissionItemName & { /** From 0. */ readonly index: number };
  readonly missionFinished: Nothing;
  readonly landed: { readonly speedMps: number; readonly distanceM: number };
  readonly gust: { readonly speedMps: number };
  readonly gustOver: Nothing;
  readonly parameter: { readonly name: string; readonly value: number };
  readonly setting: { readonly setting: SettingName; readonly text: string };
  readonly batteryWarning: { readonly level: string };
  readonly failsafe: { readonly cause: string };
  readonly motorJammed: Motor;
  readonly motorOff: Motor;
  readonly motorStuck: Motor & { readonly duty: number };
  readonly motorLoss: Motor & { readonly gain: number };
  readonly motorNoisy: Motor;
  readonly motorHealthy: Motor;
  readonly propellerChipped: Motor & { readonly share: number };
  readonly propellerUnbalanced: Motor & { readonly imbalanceGmm: number };
  readonly propellerWhole: Motor;
  readonly propellerBalanced: Motor;
  readonly batteryOff: Battery;
  readonly batteryOn: Battery;
  readonly sensorFault: { readonly sensor: string; readonly fault: string };
  readonly sensorHealthy: { readonly sensor: string };
  readonly autopilotMessage: { readonly text: string };
  readonly autopilotWarning: { readonly text: string };
  readonly goto: {
    /** North, east, down. */
    readonly posNedM: readonly number[];
    /** Absent if the heading is left to the autopilot. */
    readonly yawDeg?: number;
  };
}
export type EventKind = keyof EventData;

/** The scenario event that caused an event of the flight: its index in the definition's scenario, and its labels. */
interface EventCause extends Pick<ScenarioEvent, "name" | "note"> {
  readonly index: number;
}

/**
 * One event of a flight, with its time and data.
 *
 * `cause` is the scenario event that caused it: a fault, a gust, a parameter change, or a request that the autopilot
 * followed. The end of a fault's window has the same cause as the fault. Events without a cause follow from the flight
 * itself.
 */
export type FlightEvent = {
  readonly [K in EventKind]: {
    readonly tUs: number;
    readonly kind: K;
    readonly severity: EventSeverity;
    readonly data: EventData[K];
    readonly cause?: EventCause;
  };
}[EventKind];

/** Parts of the flight definition that events refer to. */
export interface EventContext {
  readonly mission?: ResolvedMission | null;
  readonly scenario?: readonly ScenarioEvent[];
  /** Messages of an autopilot outside this process. */
  readonly messages?: readonly SourceMessage[];
}

/** Looks up the names for the indices that the log stores. */
export class EventNames {
  private readonly items: readonly MissionItemName[];
  private readonly landings: readonly boolean[];
  private readonly scenario: readonly ScenarioEvent[];
  /**
   * Indices of the events that change parameters, and of those that change settings. Entry i belongs to bit i of the
   * parameter mask or of the setting mask.
   */
  private readonly changes: { readonly parameter: readonly number[]; readonly setting: readonly number[] };
  readonly messages: readonly SourceMessage[];

  constructor({ mission, scenario = [], messages = [] }: EventContext) {
    this.messages = messages;
    this.items = missionItemNames(mission);
    this.landings = (mission?.items ?? []).map(({ command }) => command === NAV_LAND);
    this.scenario = scenario;
    const indicesOf = (matches: (event: ScenarioEvent) => boolean) =>
      [...scenario.keys()].filter((i) => matches(scenario[i]!));
    this.changes = { parameter: indicesOf(({ action }) => action === "parameter"), setting: indicesOf(isChange) };
  }

  item(index: number): EventData["missionItem"] {
    return { index, ...(this.items[index] ?? { name: `mission item ${index}` }) };
  }

  message(index: number): EventData["autopilotMessage"] {
    return { text: this.messages[index]?.text ?? "" };
  }

  isLanding(index: number): boolean {
    return this.landings[index] === true;
  }

  /** `change` is the number of the change's bit. */
  parameter(change: number): EventData["parameter"] {
    const params = this.scenario[this.changeEvent("parameter", change)]?.params;
    if (params === undefined) return { name: `parameter change ${change + 1}`, value: NaN };
    return { name: String(params["name"]), value: Number(params["value"]) };
  }

  setting(change: number): EventData["setting"] {
    const event = this.scenario[this.changeEvent("setting", change)];
    if (event === undefined || !isChange(event)) return { setting: "vehicle", text: `setting change ${change + 1}` };
    return { setting: event.action, text: settingText(event) };
  }

  /** Returns the index of the event of a parameter or setting change, by the number of its bit; −1 if there is none. */
  changeEvent(kind: "parameter" | "setting", change: number): number {
    return this.changes[kind][change] ?? -1;
  }

  goto(index: number): EventData["goto"] {
    const params = this.scenario[index]?.params ?? {};
    const [posNedM, yawDeg] = [params["posNedM"] as readonly number[] | undefined, params["yawDeg"] as number];
    return { posNedM: posNedM ?? [], ...(yawDeg <= 360 ? { yawDeg } : {}) };
  }

  cause(index: number): EventCause {
    const { name, note } = this.scenario[index] ?? {};
    return { index, ...(name === undefined ? {} : { name }), ...(note === undefined ? {} : { note }) };
  }
}

interface KindDefinition<K extends EventKind> {
  readonly severity: EventSeverity;
  /** Builds the data from the two stored numbers. */
  readonly data: (a: number, b: number, names: EventNames) => EventData[K];
}

type Read<K extends EventKind> = KindDefinition<K>["data"];
const info = <K extends EventKind>(data: Read<K>): KindDefinition<K> => ({ severity: "info", data });
const warning = <K extends EventKind>(data: Read<K>): KindDefinition<K> => ({ severity: "warning", data });
const nothing = (): Nothing => ({});
const ofMotor = (motor: number): Motor => ({ motor });
const ofBattery = (battery: number): Battery => ({ battery });
const sensorName = (sensor: number) => SENSORS[sensor] ?? String(sensor);

/** Every kind of event. Checkpoints store the position of a kind in this table, so append new kinds at its end. */
const KINDS: { readonly [K in EventKind]: KindDefinition<K> } = {
  armed: info(nothing),
  disarmed: info(nothing),
  mode: info((navState) => ({ mode: valueName("navState", navState) })),
  liftOff: info(nothing),
  missionItem: info((index, _b, names) => names.item(index)),
  missionFinished: info(nothing),
  landed: info((speedMps, distanceM) => ({ speedMps, distanceM })),
  gust: info((speedMps) => ({ speedMps })),
  gustOver: info(nothing),
  parameter: info((index, _b, names) => names.parameter(index)),
  batteryWarning: warning((level) => ({ level: valueName("batteryWarning", level) })),
  failsafe: warning((cause) => ({ cause: valueName("failsafe", cause) })),
  motorJammed: warning(ofMotor),
  motorOff: warning(ofMotor),
  motorStuck: warning((motor, duty) => ({ motor, duty })),
  motorLoss: warning((motor, gain) => ({ motor, gain })),
  motorNoisy: warning(ofMotor),
  motorHealthy: info(ofMotor),
  batteryOff: warning(ofBattery),
  batteryOn: info(ofBattery),
  sensorFault: warning((sensor, fault) => ({
    sensor: sensorName(sensor),
    fault: valueName("sensorFaultKind", fault),
  })),
  sensorHealthy: info((sensor) => ({ sensor: sensorName(sensor) })),
  autopilotMessage: info((index, _b, names) => names.message(index)),
  autopilotWarning: warning((index, _b, names) => names.message(index)),
  goto: info((index, _b, names) => names.goto(index)),
  setting: info((index, _b, names) => names.setting(index)),
  propellerChipped: warning((motor, share) => ({ motor, share })),
  propellerUnbalanced: warning((motor, imbalanceGmm) => ({ motor, imbalanceGmm })),
  propellerWhole: info(ofMotor),
  propellerBalanced: info(ofMotor),
  disarmDenied: warning(nothing),
};
const KIND_NAMES = Object.keys(KINDS) as readonly EventKind[];

/** Returns the number by which the log stores a kind. */
export function kindNumber(kind: EventKind): number {
  return KIND_NAMES.indexOf(kind);
}

/** The numbers of a stored event: time, kind, the two numbers of its data, and 1 + the index of its cause, or 0. */
export type StoredEvent = readonly [tUs: number, kind: number, a: number, b: number, cause: number];

/** Rebuilds the event from the stored numbers. */
export function eventFrom([tUs, kindIndex, a, b, cause]: StoredEvent, names: EventNames): FlightEvent {
  const kind = KIND_NAMES[kindIndex]!;
  const { severity, data } = KINDS[kind];
  const event = { tUs, kind, severity, data: data(a, b, names) } as FlightEvent;
  return cause === 0 ? event : { ...event, cause: names.cause(cause - 1) };
}
