/**
 * The story of a flight: its events in order, each a time, a kind and two numbers, put into words when asked for.
 *
 * Kept as numbers, so that a checkpoint holds the whole story. Held signals are compared where someone spoke, the
 * vehicle's own doings where a row is logged.
 */
import type { SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { type BoundaryView, type BusLayout, DUE_BITS, SENSORS, type SignalName } from "../engine/index.ts";
import { NAV_LAND } from "../autopilot/mission.ts";
import { parameterEvents, SENSOR_FAULTS, type ScenarioEvent } from "../sources/scenario/index.ts";
import { missionItemNames } from "../describe/item-names.ts";
import type { ResolvedMission } from "../describe/mission-spec.ts";

/** One line of the summary's left column. */
export interface FlightEvent {
  readonly tUs: number;
  readonly what: string;
  /** Quiet events are progress; loud ones went wrong. */
  readonly isTrouble: boolean;
}

/** Coming down on the ground. */
export interface Touchdown {
  readonly tUs: number;
  readonly speedMps: number;
  /** Horizontally from where the flight began. */
  readonly distanceM: number;
}

/** What the words need to know of the flight besides the numbers. */
export interface StoryContext {
  readonly mission?: ResolvedMission | null;
  readonly scenario?: readonly ScenarioEvent[];
}

type Tell = (a: number, b: number, words: Words) => string;
interface EventKind {
  readonly isTrouble: boolean;
  readonly text: Tell;
}

const quiet = (text: string | Tell): EventKind => ({
  isTrouble: false,
  text: typeof text === "string" ? () => text : text,
});
const loud = (text: string | Tell): EventKind => ({
  isTrouble: true,
  text: typeof text === "string" ? () => text : text,
});

const MODES: Readonly<Record<number, string>> = {
  3: "mission",
  4: "hold",
  5: "return to home",
  17: "take-off",
  18: "land here",
};
const WARNINGS = ["", "battery low", "battery critical", "battery emergency"];
const FAILSAFES = [
  "",
  "battery low",
  "battery critical",
  "battery emergency",
  "attitude lost",
  "estimate lost",
  "outside the fence",
];
const HEALTHY = 0;

/** Every kind of event; a story stores their places in this list, so new ones are added at its end. */
const KINDS = {
  armed: quiet("armed"),
  disarmed: quiet("disarmed"),
  mode: quiet((mode) => `mode ${MODES[mode] ?? mode}`),
  liftOff: quiet("lift-off"),
  reached: quiet((item, _b, words) => words.item(item)),
  missionFinished: quiet("mission finished"),
  landed: quiet((speed, distance) => `landed (${speed.toFixed(2)} m/s, ${distance.toFixed(2)} m from home)`),
  gust: quiet((speed) => (speed > 0.05 ? `gust of ${speed.toFixed(1)} m/s` : "gust begins")),
  gustOver: quiet("gust over"),
  parameter: quiet((change, _b, words) => words.change(change)),
  warning: loud((level) => WARNINGS[level] ?? "battery"),
  failsafe: loud((reason) => `failsafe: ${FAILSAFES[reason] ?? reason}`),
  motorJammed: loud((motor) => `motor ${motor} jammed`),
  motorOff: loud((motor) => `motor ${motor} off`),
  motorStuck: loud((motor, duty) => `motor ${motor} stuck at duty ${duty.toFixed(2)}`),
  motorLoss: loud((motor, gain) => `motor ${motor} keeps ${(100 * gain).toFixed(0)} % of its duty`),
  motorNoisy: loud((motor) => `motor ${motor} noisy`),
  motorHealthy: quiet((motor) => `motor ${motor} healthy again`),
  batteryOff: loud((battery) => `battery ${battery} cut off`),
  batteryOn: quiet((battery) => `battery ${battery} connected again`),
  sensorFault: loud((sensor, fault) => `${SENSORS[sensor] ?? sensor}: ${SENSOR_FAULTS[fault] ?? fault}`),
  sensorHealthy: quiet((sensor) => `${SENSORS[sensor] ?? sensor} healthy again`),
} as const satisfies Record<string, EventKind>;
type KindName = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];
const MOTOR_KINDS: readonly KindName[] = [
  "motorHealthy",
  "motorJammed",
  "motorOff",
  "motorStuck",
  "motorLoss",
  "motorNoisy",
];

/** Names of mission items and parameters. */
class Words {
  private readonly items: readonly string[];
  private readonly landings: readonly boolean[];
  private readonly changes: readonly string[];

  constructor({ mission, scenario = [] }: StoryContext) {
    this.items = missionItemNames(mission);
    this.landings = (mission?.items ?? []).map(({ command }) => command === NAV_LAND);
    this.changes = parameterEvents(scenario)
      .map((i) => scenario[i]!.params)
      .map((params) => `${String(params["name"])} = ${String(params["value"])}`);
  }

  item(index: number): string {
    return this.items[index] ?? `mission item ${index}`;
  }

  /** A landing is told when the vehicle has landed. */
  isLanding(index: number): boolean {
    return this.landings[index] === true;
  }

  change(index: number): string {
    return this.changes[index] ?? `parameter change ${index + 1}`;
  }
}

/** Signals of which only the value itself is told, in the order in which changes at one instant are told. */
const SIMPLE = [
  "armed",
  "navState",
  "takeoffState",
  "missionReached",
  "failsafe",
  "landDetected",
  "missionFinished",
] as const satisfies readonly SignalName[];
const IN_FLIGHT = 5;
const LANDED = 3;
const NUMBERS_PER_EVENT = 4;
/** Memory beside the watched signals. */
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
} as const;

export class StoryTeller {
  private readonly numbers: number[] = [];
  private readonly words: Words;
  private readonly layout: BusLayout;
  private readonly places: Readonly<Record<SignalName, number>>;
  private readonly frameAt: { readonly pos: number; readonly vel: number };
  private readonly simple = new Float64Array(SIMPLE.length);
  private readonly simpleAt: Int32Array;
  private readonly motors: Float64Array;
  private readonly batteries: Float64Array;
  private readonly sensors = new Float64Array(SENSORS.length);
  private readonly cells = new Float64Array(Object.keys(CELLS).length);

  constructor(layout: BusLayout, frameAt: { pos: number; vel: number }, context: StoryContext = {}) {
    this.layout = layout;
    this.places = Object.fromEntries(layout.signals.map(({ name, offset }) => [name, offset])) as Record<
      SignalName,
      number
    >;
    this.simpleAt = Int32Array.from(SIMPLE, (name) => this.places[name]);
    this.frameAt = frameAt;
    this.words = new Words(context);
    this.motors = new Float64Array(layout.dims.rotors);
    this.batteries = new Float64Array(layout.dims.batteries).fill(1);
    this.cells[CELLS.downUs] = -1;
  }

  get events(): FlightEvent[] {
    const events: FlightEvent[] = [];
    for (let i = 0; i < this.numbers.length; i += NUMBERS_PER_EVENT) {
      const [tUs, kind, a, b] = this.numbers.slice(i, i + NUMBERS_PER_EVENT) as [number, number, number, number];
      const { text, isTrouble } = KINDS[KIND_NAMES[kind]!];
      events.push({ tUs, what: text(a, b, this.words), isTrouble });
    }
    return events;
  }

  get touchdown(): Touchdown | undefined {
    const { cells } = this;
    if (cells[CELLS.downUs]! < 0) return undefined;
    return { tUs: cells[CELLS.downUs]!, speedMps: cells[CELLS.downSpeed]!, distanceM: cells[CELLS.downDistance]! };
  }

  listen({ due, frame, bus }: BoundaryView, isLogged: boolean): void {
    const tUs = frame[0]!;
    if ((due & DUE_BITS.scenario) !== 0) this.hearScenario(tUs, bus);
    if (isLogged) this.watchVehicle(tUs, frame, bus);
    if ((due & DUE_BITS.autopilot) !== 0) this.hearAutopilot(tUs, bus);
  }

  save(writer: SnapshotWriter): void {
    for (const cells of this.memory()) writer.numbers(cells);
    writer.number(this.numbers.length);
    writer.numbers(this.numbers);
  }

  load(reader: SnapshotReader): void {
    for (const cells of this.memory()) reader.numbersInto(cells);
    this.numbers.length = 0;
    for (let count = reader.number(); count > 0; count -= 1) this.numbers.push(reader.number());
  }

  private memory(): readonly Float64Array[] {
    return [this.simple, this.motors, this.batteries, this.sensors, this.cells];
  }

  private tell(tUs: number, kind: KindName, a = 0, b = 0): void {
    this.numbers.push(tUs, KIND_NAMES.indexOf(kind), a, b);
  }

  private hearScenario(tUs: number, bus: Float64Array): void {
    const { places, motors, batteries, sensors, cells } = this;
    for (let i = 0; i < motors.length; i += 1) {
      const gain = bus[places.motorGain + i]!;
      const offset = bus[places.motorOffset + i]!;
      const state = motorState(gain, offset, bus[places.motorJam + i]!);
      if (state === motors[i]) continue;
      motors[i] = state;
      this.tell(tUs, MOTOR_KINDS[state]!, i + 1, gain === 0 ? offset : gain);
    }
    for (let i = 0; i < batteries.length; i += 1) {
      const connected = bus[places.batteryConnected + i]!;
      if (connected === batteries[i]) continue;
      batteries[i] = connected;
      this.tell(tUs, connected === 1 ? "batteryOn" : "batteryOff", i + 1);
    }
    for (let i = 0; i < sensors.length; i += 1) {
      const fault = bus[places.sensorFaultKind + i]!;
      if (fault === sensors[i]) continue;
      sensors[i] = fault;
      this.tell(tUs, fault === HEALTHY ? "sensorHealthy" : "sensorFault", i, fault);
    }
    this.hearGust(tUs, bus);
    const changes = bus[places.parameterChanges]!;
    if (changes !== cells[CELLS.changes]) this.tellChanges(tUs, changes);
  }

  private hearGust(tUs: number, bus: Float64Array): void {
    const at = this.places.windGustNed;
    const squares = bus[at]! * bus[at]! + bus[at + 1]! * bus[at + 1]! + bus[at + 2]! * bus[at + 2]!;
    const blows = squares > 0 ? 1 : 0;
    if (blows === this.cells[CELLS.gust]) return;
    this.cells[CELLS.gust] = blows;
    this.tell(tUs, blows === 1 ? "gust" : "gustOver", Math.sqrt(squares));
  }

  private tellChanges(tUs: number, mask: number): void {
    const before = this.cells[CELLS.changes]!;
    this.cells[CELLS.changes] = mask;
    let bit = 1;
    for (let i = 0; bit <= mask; i += 1) {
      if (Math.floor(mask / bit) % 2 === 1 && Math.floor(before / bit) % 2 === 0) this.tell(tUs, "parameter", i);
      bit *= 2;
    }
  }

  private hearAutopilot(tUs: number, bus: Float64Array): void {
    const { simple, simpleAt, cells } = this;
    const isFirst = cells[CELLS.started] === 0;
    cells[CELLS.started] = 1;
    for (let i = 0; i < SIMPLE.length; i += 1) {
      const before = simple[i]!;
      const value = bus[simpleAt[i]!]!;
      simple[i] = value;
      // The first words say how things stand; only what is wrong already then is an event.
      if (value === before || (isFirst && SIMPLE[i] !== "failsafe")) continue;
      this.tellSimple(SIMPLE[i]!, before, value, tUs);
    }
  }

  private tellSimple(name: (typeof SIMPLE)[number], before: number, value: number, tUs: number): void {
    const { cells } = this;
    switch (name) {
      case "armed":
        return this.tell(tUs, value === 1 ? "armed" : "disarmed");
      case "navState":
        return MODES[value] === undefined ? undefined : this.tell(tUs, "mode", value);
      case "takeoffState":
        cells[CELLS.liftOffDue] = value === IN_FLIGHT && before < IN_FLIGHT ? 1 : 0;
        return this.tellLiftOff(tUs);
      case "missionReached":
        return value >= 0 && !this.words.isLanding(value) ? this.tell(tUs, "reached", value) : undefined;
      case "failsafe":
        return value > 0 ? this.tell(tUs, "failsafe", value) : undefined;
      case "landDetected":
        return value === LANDED && before < LANDED
          ? this.tell(tUs, "landed", cells[CELLS.downSpeed]!, cells[CELLS.downDistance]!)
          : undefined;
      case "missionFinished":
        return value === 1 ? this.tell(tUs, "missionFinished") : undefined;
    }
  }

  /** The autopilot takes the vehicle for flying after its ramp; it is told when the ground has let go of it too. */
  private tellLiftOff(tUs: number): void {
    const { cells } = this;
    if (cells[CELLS.liftOffDue] === 0 || cells[CELLS.touching] === 1) return;
    cells[CELLS.liftOffDue] = 0;
    this.tell(tUs, "liftOff");
  }

  /** Battery warnings, and how the vehicle comes down. */
  private watchVehicle(tUs: number, frame: Float64Array, bus: Float64Array): void {
    const { cells, places, layout } = this;
    let warning = 0;
    for (let i = 0; i < layout.dims.batteries; i += 1) warning = Math.max(warning, bus[places.batteryWarning + i]!);
    if (warning > cells[CELLS.warning]!) this.tell(tUs, "warning", warning);
    cells[CELLS.warning] = warning;
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
    const touches = bus[places.contactForceNed + 2]! < 0 ? 1 : 0;
    if (touches === 1 && cells[CELLS.touching] === 0 && cells[CELLS.flown] === 1) {
      const n = frame[pos]! - cells[CELLS.homeN]!;
      const e = frame[pos + 1]! - cells[CELLS.homeE]!;
      cells[CELLS.downUs] = tUs;
      cells[CELLS.downSpeed] = Math.max(speed, cells[CELLS.freeSpeed]!);
      cells[CELLS.downDistance] = Math.sqrt(n * n + e * e);
    }
    cells[CELLS.touching] = touches;
    this.tellLiftOff(tUs);
    if (touches === 1) return;
    cells[CELLS.freeSpeed] = speed;
    cells[CELLS.flown] = 1;
  }
}

/** Place in `MOTOR_KINDS`. */
function motorState(gain: number, offset: number, jam: number): number {
  if (jam !== 0) return 1;
  if (gain === 0) return offset === 0 ? 2 : 3;
  if (gain !== 1) return 4;
  return offset === 0 ? HEALTHY : 5;
}
