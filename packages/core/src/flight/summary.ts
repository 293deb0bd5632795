/**
 * What a pilot would want to know afterwards: what happened when, how far it went, what it cost.
 *
 * An observer like the recorder: it reads the frame and the bus at the end of boundaries and changes nothing. Events
 * are changes of signals at autopilot ticks; extremes and means are taken where a log row is due.
 */
import type { SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { acos } from "../math/index.ts";
import type { StateLayout } from "../state/index.ts";
import { type BoundaryView, BusLayout, type Dims, DUE_BITS, type Observer, type SignalName } from "../engine/index.ts";

/** One line of the summary's left column. */
export interface FlightEvent {
  readonly tUs: number;
  readonly what: string;
  /** Quiet events are progress; loud ones went wrong. */
  readonly isTrouble: boolean;
}

export interface FlightExtremes {
  readonly altitudeMaxM: number;
  readonly speedMaxMps: number;
  readonly tiltMaxDeg: number;
  readonly distanceMaxM: number;
  readonly positionErrorRmsM: number;
  readonly positionErrorMaxM: number;
  readonly windMeanMps: number;
  readonly windMaxMps: number;
  readonly voltageMinV: number;
  readonly powerMeanW: number;
  readonly energyWh: number;
  readonly batteryRemaining: number;
}

const DEG_PER_RAD = 180 / 3.141592653589793;
const NAV_STATES: Readonly<Record<number, string>> = { 3: "mission", 4: "hold", 5: "return", 17: "take-off", 18: "land" };
const WARNINGS = ["", "battery low", "battery critical", "battery emergency"];
const FAILSAFES = ["", "failsafe: battery low", "failsafe: battery critical", "failsafe: battery emergency", "failsafe: attitude", "failsafe: estimate lost"];
const FLIGHT_STATE = 5;
const POSITION_VALID = 3;

/** Cells of the running sums, one saved array. */
const CELLS = [
  "altitudeMax", "speedMax", "tiltCosMin", "distanceMax", "errorSquares", "errorMax", "errorCount", "windSum", "windMax",
  "rows", "voltageMin", "energyJ", "lastUs", "lastPowerW", "remaining",
] as const;
type Cell = (typeof CELLS)[number];

/** Signals whose changes are events, in the order in which they are told. */
const WATCHED = ["armed", "navState", "takeoffState", "missionReached", "batteryWarning", "failsafe", "landDetected", "missionFinished"] as const satisfies readonly SignalName[];

export class SummaryObserver implements Observer {
  readonly events: FlightEvent[] = [];
  private readonly cells = new Float64Array(CELLS.length);
  private readonly at: Readonly<Record<Cell, number>>;
  private readonly places: Readonly<Record<SignalName, number>>;
  private readonly dims: Dims;
  private readonly last: Float64Array;
  private readonly pos: number;
  private readonly vel: number;
  private readonly att: number;

  constructor(dims: Dims, state: StateLayout) {
    this.dims = dims;
    this.at = Object.fromEntries(CELLS.map((cell, i) => [cell, i])) as Record<Cell, number>;
    const layout = new BusLayout(dims);
    this.places = Object.fromEntries(layout.signals.map(({ name, offset }) => [name, offset])) as Record<SignalName, number>;
    this.last = new Float64Array(WATCHED.length);
    // Offsets in the frame, whose first cell is the time.
    this.pos = 1 + (state.find("posNed")?.offset ?? -1);
    this.vel = 1 + (state.find("velNed")?.offset ?? -1);
    this.att = 1 + (state.find("qBodyToNed")?.offset ?? -1);
    this.cells[this.at.voltageMin] = Infinity;
    this.cells[this.at.tiltCosMin] = 1;
    this.cells[this.at.lastUs] = -1;
    WATCHED.forEach((name, i) => {
      this.last[i] = name === "missionReached" ? -1 : name === "takeoffState" ? 1 : name === "landDetected" ? 3 : 0;
    });
  }

  readonly observe = (view: BoundaryView): void => {
    if ((view.due & DUE_BITS.autopilot) !== 0) this.watch(view);
    if ((view.due & DUE_BITS.log) !== 0 && this.pos > 0) this.measure(view);
  };

  extremes(): FlightExtremes {
    const { cells, at } = this;
    const value = (cell: Cell) => cells[at[cell]]!;
    const seconds = value("lastUs") / 1e6;
    const acosDeg = (c: number) => DEG_PER_RAD * acos(Math.max(-1, Math.min(1, c)));
    return {
      altitudeMaxM: value("altitudeMax"),
      speedMaxMps: value("speedMax"),
      tiltMaxDeg: acosDeg(value("tiltCosMin")),
      distanceMaxM: value("distanceMax"),
      positionErrorRmsM: value("errorCount") > 0 ? Math.sqrt(value("errorSquares") / value("errorCount")) : 0,
      positionErrorMaxM: value("errorMax"),
      windMeanMps: value("rows") > 0 ? value("windSum") / value("rows") : 0,
      windMaxMps: value("windMax"),
      voltageMinV: Number.isFinite(value("voltageMin")) ? value("voltageMin") : 0,
      powerMeanW: seconds > 0 ? value("energyJ") / seconds : 0,
      energyWh: value("energyJ") / 3600,
      batteryRemaining: value("remaining"),
    };
  }

  save(writer: SnapshotWriter): void {
    writer.section("summary");
    writer.numbers(this.cells);
    writer.numbers(this.last);
    writer.number(this.events.length);
  }

  load(reader: SnapshotReader): void {
    reader.section("summary");
    reader.numbersInto(this.cells);
    reader.numbersInto(this.last);
    this.events.length = Math.min(this.events.length, reader.number());
  }

  private watch({ frame, bus }: BoundaryView): void {
    for (let i = 0; i < WATCHED.length; i += 1) {
      const value = bus[this.places[WATCHED[i]!]]!;
      if (value === this.last[i]) continue;
      this.tell(WATCHED[i]!, this.last[i]!, value, frame[0]!);
      this.last[i] = value;
    }
  }

  private tell(name: (typeof WATCHED)[number], before: number, value: number, tUs: number): void {
    const add = (what: string, isTrouble = false) => this.events.push({ tUs, what, isTrouble });
    switch (name) {
      case "armed":
        return void add(value === 1 ? "armed" : "disarmed");
      case "navState":
        return void (NAV_STATES[value] !== undefined && add(`mode ${NAV_STATES[value]}`));
      case "takeoffState":
        return void (value === FLIGHT_STATE && before < FLIGHT_STATE && add("take-off"));
      case "missionReached":
        return void (value >= 0 && add(`item ${value} reached`));
      case "batteryWarning":
        return void (value > before && add(WARNINGS[value] ?? "battery", true));
      case "failsafe":
        return void (value > 0 && add(FAILSAFES[value] ?? "failsafe", true));
      case "landDetected":
        return void (value === 3 && before < 3 && add("landed"));
      case "missionFinished":
        return void (value === 1 && add("mission finished"));
    }
  }

  private measure({ frame, bus }: BoundaryView): void {
    const { cells, at, pos, vel, att, places } = this;
    const raise = (cell: Cell, value: number) => {
      if (value > cells[at[cell]]!) cells[at[cell]] = value;
    };
    raise("altitudeMax", -frame[pos + 2]!);
    raise("speedMax", norm(frame, vel, 3));
    raise("distanceMax", norm(frame, pos, 2));
    const tiltCos = 1 - 2 * (frame[att + 1]! * frame[att + 1]! + frame[att + 2]! * frame[att + 2]!);
    if (tiltCos < cells[at.tiltCosMin]!) cells[at.tiltCosMin] = tiltCos;
    const wind = norm(bus, places.windNed, 3);
    cells[at.windSum]! += wind;
    raise("windMax", wind);
    this.measureError(frame, bus);
    this.measurePower(frame[0]!, bus);
    cells[at.rows]! += 1;
  }

  private measureError(frame: Float64Array, bus: Float64Array): void {
    const { cells, at, pos, places } = this;
    const valid = bus[places.setpointValid]!;
    if ((valid & POSITION_VALID) !== POSITION_VALID) return;
    const set = places.setPosNed;
    const n = frame[pos]! - bus[set]!;
    const e = frame[pos + 1]! - bus[set + 1]!;
    const d = frame[pos + 2]! - bus[set + 2]!;
    const square = n * n + e * e + d * d;
    cells[at.errorSquares]! += square;
    cells[at.errorCount]! += 1;
    const error = Math.sqrt(square);
    if (error > cells[at.errorMax]!) cells[at.errorMax] = error;
  }

  /** Trapezes of voltage times current over all batteries. */
  private measurePower(tUs: number, bus: Float64Array): void {
    const { cells, at, places, dims } = this;
    if (dims.batteries === 0) return;
    let powerW = 0;
    let remaining = 1;
    for (let i = 0; i < dims.batteries; i += 1) {
      const volts = bus[places.batteryVoltage + i]!;
      powerW += volts * bus[places.batteryCurrent + i]!;
      remaining = Math.min(remaining, bus[places.batteryRemaining + i]!);
      if (volts < cells[at.voltageMin]!) cells[at.voltageMin] = volts;
    }
    const lastUs = cells[at.lastUs]!;
    if (lastUs >= 0) cells[at.energyJ]! += (0.5 * (powerW + cells[at.lastPowerW]!) * (tUs - lastUs)) / 1e6;
    cells[at.lastUs] = tUs;
    cells[at.lastPowerW] = powerW;
    cells[at.remaining] = remaining;
  }
}

function norm(values: Float64Array, offset: number, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i += 1) sum += values[offset + i]! * values[offset + i]!;
  return Math.sqrt(sum);
}
