/**
 * Detects the events of a flight and stores them, in order.
 *
 * Each event is five numbers, so that a checkpoint can hold all of them. Held signals are compared when the scenario or
 * the autopilot ran. Battery warnings and touchdowns are detected when a row is logged.
 */
import type { SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import {
  type BoundaryView,
  type BusLayout,
  DUE_BITS,
  hasBit,
  SENSORS,
  type SignalName,
  SIGNALS,
  type SignalValue,
} from "../../engine/index.ts";
import { requestedNavState } from "../../autopilot/requested-mode.ts";
import { isDisarmDenied, MOTOR_KINDS, motorState } from "./bus-readings.ts";
import {
  type EventContext,
  eventFrom,
  type EventKind,
  EventNames,
  type FlightEvent,
  kindNumber,
  type StoredEvent,
} from "./events.ts";

/** A return to the ground after flight. */
export interface Touchdown {
  readonly tUs: number;
  readonly speedMps: number;
  /** Horizontal distance from the start of the flight. */
  readonly distanceM: number;
}

const { navState: NAV, takeoffState: TAKEOFF, landDetected: LAND, sensorFaultKind: FAULT } = SIGNALS;
const { failsafe: FAILSAFE, armed: ARMED, batteryConnected: BATTERY, missionFinished: MISSION } = SIGNALS;
/** Modes whose entry is an event: the autonomous modes and the failsafe modes. */
const ANNOUNCED_MODES: readonly number[] = [
  NAV.values.mission,
  NAV.values.position,
  NAV.values.hold,
  NAV.values.return,
  NAV.values["take-off"],
  NAV.values.land,
  NAV.values.descend,
  NAV.values.termination,
];

/** Status signals to compare. Changes at the same instant are added in this order. */
const STATUS = [
  "armed",
  "navState",
  "takeoffState",
  "missionReached",
  "failsafe",
  "landDetected",
  "missionFinished",
] as const satisfies readonly SignalName[];
type StatusName = (typeof STATUS)[number];
const NUMBERS_PER_EVENT = 5;
/** Indices of the saved numbers that are not compared signals. */
const CELLS = {
  started: 0,
  gust: 1,
  warning: 2,
  changes: 3,
  touching: 4,
  freeSpeed: 5,
  homeN: 6,
  homeE: 7,
  rows: 8,
  downUs: 9,
  downSpeed: 10,
  downDistance: 11,
  flown: 12,
  liftOffDue: 13,
  messages: 14,
  gustEvent: 15,
  armRequests: 16,
  modeRequests: 17,
  /**
   * 1 + the index of the event whose request to arm, or for a mode, the autopilot has not followed yet; 0 if there is
   * none.
   */
  armCause: 18,
  modeCause: 19,
  settings: 20,
} as const;

export class FlightEventLog {
  private readonly numbers: number[] = [];
  private readonly names: EventNames;
  private readonly layout: BusLayout;
  private readonly places: Readonly<Record<SignalName, number>>;
  private readonly frameAt: { readonly pos: number; readonly vel: number };
  private readonly status = new Float64Array(STATUS.length);
  private readonly statusAt: Int32Array;
  private readonly motors: Float64Array;
  private readonly batteries: Float64Array;
  private readonly sensors = new Float64Array(SENSORS.length);
  /** 1 + the index of the event that decided the state of each motor, battery and sensor when the scenario last ran. */
  private readonly motorEvents: Float64Array;
  private readonly batteryEvents: Float64Array;
  private readonly sensorEvents = new Float64Array(SENSORS.length);
  /** Damage of each propeller. */
  private readonly chips: Float64Array;
  private readonly imbalances: Float64Array;
  private readonly cells = new Float64Array(Object.keys(CELLS).length);
  /** The scenario's signals when they were last compared. They change rarely, and only a change can be an event. */
  private readonly examined: Float64Array;
  private isExamined = false;

  constructor(layout: BusLayout, frameAt: { pos: number; vel: number }, context: EventContext = {}) {
    this.layout = layout;
    this.places = Object.fromEntries(layout.signals.map(({ name, offset }) => [name, offset])) as Record<
      SignalName,
      number
    >;
    this.statusAt = Int32Array.from(STATUS, (name) => this.places[name]);
    this.frameAt = frameAt;
    this.names = new EventNames(context);
    this.motors = new Float64Array(layout.dims.rotors);
    this.motorEvents = new Float64Array(layout.dims.rotors);
    this.chips = new Float64Array(layout.dims.rotors);
    this.imbalances = new Float64Array(layout.dims.rotors);
    this.batteryEvents = new Float64Array(layout.dims.batteries);
    this.batteries = new Float64Array(layout.dims.batteries).fill(BATTERY.values.connected);
    this.cells[CELLS.downUs] = -1;
    this.examined = new Float64Array(layout.ranges.scenario[1]);
  }

  get events(): FlightEvent[] {
    const events: FlightEvent[] = [];
    for (let i = 0; i < this.numbers.length; i += NUMBERS_PER_EVENT) {
      events.push(eventFrom(this.numbers.slice(i, i + NUMBERS_PER_EVENT) as unknown as StoredEvent, this.names));
    }
    return events;
  }

  get touchdown(): Touchdown | undefined {
    const { cells } = this;
    if (cells[CELLS.downUs]! < 0) return undefined;
    return { tUs: cells[CELLS.downUs]!, speedMps: cells[CELLS.downSpeed]!, distanceM: cells[CELLS.downDistance]! };
  }

  observe({ due, frame, bus, isScenarioIdle }: BoundaryView, isLogged: boolean): void {
    const tUs = frame[0]!;
    const mayHaveChanged = (due & DUE_BITS.scenario) !== 0 && !(isScenarioIdle === true && this.isExamined);
    if (mayHaveChanged && this.hasScenarioChanged(bus)) this.onScenario(tUs, bus);
    if (isLogged) this.onLogRow(tUs, frame, bus);
    if ((due & DUE_BITS.autopilot) !== 0) this.onAutopilot(tUs, bus);
  }

  save(writer: SnapshotWriter): void {
    for (const cells of this.memory()) writer.numbers(cells);
    writer.number(this.numbers.length);
    writer.numbers(this.numbers);
  }

  load(reader: SnapshotReader): void {
    for (const cells of this.memory()) reader.numbersInto(cells);
    this.isExamined = false;
    // The number of messages is a count, but a checkpoint from outside may hold a negative or fractional number.
    this.cells[CELLS.messages] = Math.max(0, Math.floor(this.cells[CELLS.messages]!));
    this.numbers.length = 0;
    for (let count = reader.number(); count > 0; count -= 1) this.numbers.push(reader.number());
  }

  private memory(): readonly Float64Array[] {
    const { status, motors, batteries, sensors, motorEvents, batteryEvents, sensorEvents, chips, imbalances, cells } =
      this;
    return [status, motors, batteries, sensors, motorEvents, batteryEvents, sensorEvents, chips, imbalances, cells];
  }

  private add(tUs: number, kind: EventKind, a = 0, b = 0, cause = 0): void {
    this.numbers.push(tUs, kindNumber(kind), a, b, cause);
  }

  /**
   * Returns 1 + the index of the event that caused a change: the event active now or, if there is none, the event whose
   * window has just ended. Stores the active event for the next call.
   */
  private causeOf(active: number, before: Float64Array, i: number): number {
    const cause = active === 0 ? before[i]! : active;
    before[i] = active;
    return cause;
  }

  private hasScenarioChanged(bus: Float64Array): boolean {
    const { examined } = this;
    const [from] = this.layout.ranges.scenario;
    let equalCount = 0;
    while (equalCount < examined.length && bus[from + equalCount]! === examined[equalCount]!) equalCount += 1;
    if (equalCount === examined.length && this.isExamined) return false;
    for (let i = equalCount; i < examined.length; i += 1) examined[i] = bus[from + i]!;
    this.isExamined = true;
    return true;
  }

  private onScenario(tUs: number, bus: Float64Array): void {
    const { places, motors, batteries, sensors } = this;
    for (let i = 0; i < motors.length; i += 1) {
      const gain = bus[places.motorGain + i]!;
      const offset = bus[places.motorOffset + i]!;
      const state = motorState(gain, offset, bus[places.motorJam + i]!);
      const cause = this.causeOf(bus[places.motorEvent + i]!, this.motorEvents, i);
      this.onPropeller(i, tUs, bus, cause);
      if (state === motors[i]) continue;
      motors[i] = state;
      this.add(tUs, MOTOR_KINDS[state]!, i + 1, gain === 0 ? offset : gain, cause);
    }
    for (let i = 0; i < batteries.length; i += 1) {
      const connected = bus[places.batteryConnected + i]!;
      const cause = this.causeOf(bus[places.batteryEvent + i]!, this.batteryEvents, i);
      if (connected === batteries[i]) continue;
      batteries[i] = connected;
      this.add(tUs, connected === BATTERY.values.connected ? "batteryOn" : "batteryOff", i + 1, 0, cause);
    }
    for (let i = 0; i < sensors.length; i += 1) {
      const fault = bus[places.sensorFaultKind + i]!;
      const cause = this.causeOf(bus[places.sensorFaultEvent + i]!, this.sensorEvents, i);
      if (fault === sensors[i]) continue;
      sensors[i] = fault;
      this.add(tUs, fault === FAULT.values.healthy ? "sensorHealthy" : "sensorFault", i, fault, cause);
    }
    this.onGust(tUs, bus);
    this.onChanges(tUs, bus[places.parameterChanges]!, CELLS.changes, "parameter");
    this.onChanges(tUs, bus[places.settingChanges]!, CELLS.settings, "setting");
    this.onRequests(tUs, bus);
  }

  private onPropeller(i: number, tUs: number, bus: Float64Array, cause: number): void {
    const { places, chips, imbalances } = this;
    const chip = bus[places.propellerChip + i]!;
    const imbalance = bus[places.propellerImbalance + i]!;
    if (chip !== chips[i]) this.add(tUs, chip === 0 ? "propellerWhole" : "propellerChipped", i + 1, chip, cause);
    if (imbalance !== imbalances[i])
      this.add(tUs, imbalance === 0 ? "propellerBalanced" : "propellerUnbalanced", i + 1, imbalance * 1e6, cause);
    chips[i] = chip;
    imbalances[i] = imbalance;
  }

  /** Stores the requests, so that the event of the autopilot's reaction has a cause. */
  private onRequests(tUs: number, bus: Float64Array): void {
    const { places, cells } = this;
    const armRequests = Math.abs(bus[places.requestArmed]!);
    const modeRequests = bus[places.requestCount]! - armRequests;
    if (armRequests !== cells[CELLS.armRequests]) {
      cells[CELLS.armRequests] = armRequests;
      cells[CELLS.armCause] = bus[places.requestEvent]!;
      if (isDisarmDenied(bus, places)) this.add(tUs, "disarmDenied", 0, 0, bus[places.requestEvent]!);
    }
    if (modeRequests === cells[CELLS.modeRequests]) return;
    cells[CELLS.modeRequests] = modeRequests;
    const request = bus[places.requestMode]!;
    const event = bus[places.requestEvent + 1]!;
    // A request for the current mode changes nothing, so it causes no event.
    const isCurrentMode = bus[places.navState] === requestedNavState(request as SignalValue<"requestMode">);
    cells[CELLS.modeCause] = isCurrentMode ? 0 : event;
    if (request === SIGNALS.requestMode.values.goto) this.add(tUs, "goto", event - 1, 0, event);
  }

  private onGust(tUs: number, bus: Float64Array): void {
    const at = this.places.windGustNed;
    const squares = bus[at]! * bus[at]! + bus[at + 1]! * bus[at + 1]! + bus[at + 2]! * bus[at + 2]!;
    const isBlowing = squares > 0 ? 1 : 0;
    const cause = this.causeOf(bus[this.places.gustEvent]!, this.cells, CELLS.gustEvent);
    if (isBlowing === this.cells[CELLS.gust]) return;
    this.cells[CELLS.gust] = isBlowing;
    this.add(tUs, isBlowing === 1 ? "gust" : "gustOver", Math.sqrt(squares), 0, cause);
  }

  /** Adds an event for every bit of a mask that was set since the mask was last compared. */
  private onChanges(tUs: number, mask: number, cell: number, kind: "parameter" | "setting"): void {
    const before = this.cells[cell]!;
    if (mask === before) return;
    this.cells[cell] = mask;
    for (let i = 0, bit = 1; bit <= mask; i += 1, bit *= 2) {
      if (hasBit(mask, bit) && !hasBit(before, bit)) this.add(tUs, kind, i, 0, this.names.changeEvent(kind, i) + 1);
    }
  }

  private onAutopilot(tUs: number, bus: Float64Array): void {
    const { status, statusAt, cells } = this;
    const isFirst = cells[CELLS.started] === 0;
    cells[CELLS.started] = 1;
    for (let i = 0; i < STATUS.length; i += 1) {
      const before = status[i]!;
      const value = bus[statusAt[i]!]!;
      status[i] = value;
      // The first status is the initial state, not a change. Only a failsafe is an event even then.
      if (value === before || (isFirst && STATUS[i] !== "failsafe")) continue;
      this.onStatus(STATUS[i]!, before, value, tUs, bus);
    }
    const { messages } = this.names;
    for (; cells[CELLS.messages]! < messages.length; cells[CELLS.messages]! += 1) {
      const index = cells[CELLS.messages]!;
      this.add(tUs, messages[index]!.isWarning ? "autopilotWarning" : "autopilotMessage", index);
    }
  }

  /**
   * Returns and clears the request that the autopilot follows with this change; 0 if the autopilot made the change by
   * itself.
   */
  private takeRequest(cell: number, isRequested: boolean): number {
    const { cells } = this;
    if (!isRequested) return 0;
    const cause = cells[cell]!;
    cells[cell] = 0;
    return cause;
  }

  private onStatus(name: StatusName, before: number, value: number, tUs: number, bus: Float64Array): void {
    const { cells, places } = this;
    switch (name) {
      case "armed": {
        const isArmed = value === ARMED.values.armed;
        const cause = this.takeRequest(CELLS.armCause, bus[places.requestArmed]! > 0 === isArmed);
        return this.add(tUs, isArmed ? "armed" : "disarmed", 0, 0, cause);
      }
      case "navState": {
        const requested = requestedNavState(bus[places.requestMode] as SignalValue<"requestMode">);
        const cause = this.takeRequest(CELLS.modeCause, value === requested);
        return ANNOUNCED_MODES.includes(value) ? this.add(tUs, "mode", value, 0, cause) : undefined;
      }
      case "takeoffState":
        cells[CELLS.liftOffDue] = value === TAKEOFF.values.flight && before < value ? 1 : 0;
        return this.addLiftOffWhenClear(tUs);
      case "missionReached":
        // A landing item is reported when the vehicle has landed, not here.
        return value >= 0 && !this.names.isLanding(value) ? this.add(tUs, "missionItem", value) : undefined;
      case "failsafe":
        return value === FAILSAFE.values.none ? undefined : this.add(tUs, "failsafe", value);
      case "landDetected":
        return value === LAND.values.landed
          ? this.add(tUs, "landed", cells[CELLS.downSpeed]!, cells[CELLS.downDistance]!)
          : undefined;
      case "missionFinished":
        return value === MISSION.values.finished ? this.add(tUs, "missionFinished") : undefined;
      default:
        name satisfies never;
    }
  }

  /**
   * Adds the lift-off once contact has ended, because the autopilot reports flight at the end of its take-off ramp,
   * when the vehicle may still touch the ground.
   */
  private addLiftOffWhenClear(tUs: number): void {
    const { cells } = this;
    if (cells[CELLS.liftOffDue] === 0 || cells[CELLS.touching] === 1) return;
    cells[CELLS.liftOffDue] = 0;
    this.add(tUs, "liftOff");
  }

  /** Detects battery warnings and touchdowns. */
  private onLogRow(tUs: number, frame: Float64Array, bus: Float64Array): void {
    const { cells, places, layout } = this;
    let level = 0;
    for (let i = 0; i < layout.dims.batteries; i += 1) level = Math.max(level, bus[places.batteryWarning + i]!);
    if (level > cells[CELLS.warning]!) this.add(tUs, "batteryWarning", level);
    cells[CELLS.warning] = level;
    const { pos, vel } = this.frameAt;
    if (pos <= 0 || vel <= 0) return;
    if (cells[CELLS.rows] === 0) {
      cells[CELLS.homeN] = frame[pos]!;
      cells[CELLS.homeE] = frame[pos + 1]!;
    }
    cells[CELLS.rows]! += 1;
    const speed = Math.sqrt(
      frame[vel]! * frame[vel]! + frame[vel + 1]! * frame[vel + 1]! + frame[vel + 2]! * frame[vel + 2]!,
    );
    const isTouching = bus[places.contactForceNed + 2]! < 0 ? 1 : 0;
    if (isTouching === 1 && cells[CELLS.touching] === 0 && cells[CELLS.flown] === 1) {
      const n = frame[pos]! - cells[CELLS.homeN]!;
      const e = frame[pos + 1]! - cells[CELLS.homeE]!;
      cells[CELLS.downUs] = tUs;
      cells[CELLS.downSpeed] = Math.max(speed, cells[CELLS.freeSpeed]!);
      cells[CELLS.downDistance] = Math.sqrt(n * n + e * e);
    }
    cells[CELLS.touching] = isTouching;
    this.addLiftOffWhenClear(tUs);
    if (isTouching === 1) return;
    cells[CELLS.freeSpeed] = speed;
    cells[CELLS.flown] = 1;
  }
}
