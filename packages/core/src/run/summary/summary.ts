/**
 * The observer that collects the summary of a flight: its events, extremes and means.
 *
 * Like the recorder it reads the frame and the bus at the end of a boundary and changes nothing. Changes of held
 * signals (faults, modes, progress) are detected when their writer ran. Touchdowns, battery warnings, extremes and
 * means are updated only when a log row is due, so that the summary of a recording is the same.
 */
import { DEG_PER_RAD } from "../../math/angle.ts";
import type { SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import { acos } from "../../math/index.ts";
import type { StateLayout } from "../../state/index.ts";
import {
  type BoundaryView,
  BusLayout,
  type Dims,
  DUE_BITS,
  type Observer,
  SETPOINT_BITS,
  type SignalName,
} from "../../engine/index.ts";
import { FlightEventLog, type Touchdown } from "../events/event-log.ts";
import type { FlightEvent, EventContext } from "../events/events.ts";

/** The largest and smallest values of a flight, and its energy. */
export interface FlightExtremes {
  readonly altitudeMaxM: number;
  readonly speedMaxMps: number;
  readonly tiltMaxDeg: number;
  readonly distanceMaxM: number;
  /** Distance from the position setpoint, while the vehicle is in the air and a position is commanded. */
  readonly positionErrorRmsM: number;
  readonly positionErrorMaxM: number;
  readonly windMeanMps: number;
  readonly windMaxMps: number;
  readonly voltageMinV: number;
  readonly powerMeanW: number;
  readonly energyWh: number;
  readonly batteryRemaining: number;
}

/** Bits that are set if a position is commanded in all three directions. */
const POSITION_VALID = SETPOINT_BITS.posXy | SETPOINT_BITS.posZ;

// Indices of the running sums and extremes in one saved array.
const ALTITUDE_MAX = 0;
const SPEED_MAX = 1;
const TILT_COS_MIN = 2;
const DISTANCE_MAX = 3;
const ERROR_SQUARES = 4;
const ERROR_MAX = 5;
const ERROR_COUNT = 6;
const WIND_SUM = 7;
const WIND_MAX = 8;
const ROWS = 9;
const VOLTAGE_MIN = 10;
const ENERGY_J = 11;
const LAST_US = 12;
const LAST_POWER_W = 13;
const REMAINING = 14;
const CELLS = 15;

export class SummaryObserver implements Observer {
  readonly dueMask = DUE_BITS.scenario | DUE_BITS.autopilot | DUE_BITS.log;
  private readonly log: FlightEventLog;
  private readonly cells = new Float64Array(CELLS);
  /**
   * The last length that `updateMaxLength` computed. It is stored in an array, because V8 may box a returned number.
   */
  private readonly length = new Float64Array(1);
  private readonly places: Readonly<Record<SignalName, number>>;
  private readonly dims: Dims;
  private readonly pos: number;
  private readonly vel: number;
  private readonly att: number;

  constructor(dims: Dims, state: StateLayout, context: EventContext = {}) {
    this.dims = dims;
    const layout = new BusLayout(dims);
    this.places = Object.fromEntries(layout.signals.map(({ name, offset }) => [name, offset])) as Record<
      SignalName,
      number
    >;
    // Offsets in the frame, whose first cell is the time; 0 if the plant has no such block.
    const inFrame = (name: string) => 1 + (state.find(name)?.offset ?? -1);
    this.pos = inFrame("posNed");
    this.vel = inFrame("velNed");
    this.att = inFrame("qBodyToNed");
    this.log = new FlightEventLog(layout, { pos: this.pos, vel: this.vel }, context);
    this.cells[VOLTAGE_MIN] = Infinity;
    this.cells[TILT_COS_MIN] = 1;
    this.cells[LAST_US] = -1;
  }

  get events(): readonly FlightEvent[] {
    return this.log.events;
  }

  /** The last touchdown. */
  get touchdown(): Touchdown | undefined {
    return this.log.touchdown;
  }

  readonly observe = (view: BoundaryView): void => {
    const isLogged = (view.due & DUE_BITS.log) !== 0;
    this.log.observe(view, isLogged);
    if (isLogged && this.hasMotion) this.measure(view);
  };

  extremes(): FlightExtremes {
    const value = (cell: number) => this.cells[cell]!;
    const seconds = value(LAST_US) / 1e6;
    const acosDeg = (c: number) => DEG_PER_RAD * acos(Math.max(-1, Math.min(1, c)));
    return {
      altitudeMaxM: value(ALTITUDE_MAX),
      speedMaxMps: value(SPEED_MAX),
      tiltMaxDeg: acosDeg(value(TILT_COS_MIN)),
      distanceMaxM: value(DISTANCE_MAX),
      positionErrorRmsM: value(ERROR_COUNT) > 0 ? Math.sqrt(value(ERROR_SQUARES) / value(ERROR_COUNT)) : 0,
      positionErrorMaxM: value(ERROR_MAX),
      windMeanMps: value(ROWS) > 0 ? value(WIND_SUM) / value(ROWS) : 0,
      windMaxMps: value(WIND_MAX),
      voltageMinV: Number.isFinite(value(VOLTAGE_MIN)) ? value(VOLTAGE_MIN) : 0,
      powerMeanW: seconds > 0 ? value(ENERGY_J) / seconds : 0,
      energyWh: value(ENERGY_J) / 3600,
      batteryRemaining: value(REMAINING),
    };
  }

  save(writer: SnapshotWriter): void {
    writer.section("summary");
    writer.numbers(this.cells);
    this.log.save(writer);
  }

  load(reader: SnapshotReader): void {
    reader.section("summary");
    reader.numbersInto(this.cells);
    this.log.load(reader);
  }

  private get hasMotion(): boolean {
    return this.pos > 0 && this.vel > 0 && this.att > 0;
  }

  private measure({ frame, bus }: BoundaryView): void {
    const { cells, length, pos, vel, att, places } = this;
    cells[ALTITUDE_MAX] = Math.max(cells[ALTITUDE_MAX]!, -frame[pos + 2]!);
    this.updateMaxLength(SPEED_MAX, frame, vel, 3);
    this.updateMaxLength(DISTANCE_MAX, frame, pos, 2);
    this.updateMaxLength(WIND_MAX, bus, places.windNed, 3);
    cells[WIND_SUM]! += length[0]!;
    const tiltCos = 1 - 2 * (frame[att + 1]! * frame[att + 1]! + frame[att + 2]! * frame[att + 2]!);
    cells[TILT_COS_MIN] = Math.min(cells[TILT_COS_MIN]!, tiltCos);
    this.measureError(frame, bus);
    this.measurePower(frame, bus);
    cells[ROWS]! += 1;
  }

  private updateMaxLength(cell: number, values: Float64Array, offset: number, size: number): void {
    const { cells, length } = this;
    let sum = 0;
    for (let i = 0; i < size; i += 1) sum += values[offset + i]! * values[offset + i]!;
    length[0] = Math.sqrt(sum);
    cells[cell] = Math.max(cells[cell]!, length[0]!);
  }

  private measureError(frame: Float64Array, bus: Float64Array): void {
    const { cells, pos, places } = this;
    const valid = bus[places.setpointValid]!;
    // After touchdown the landing setpoint sinks below the ground, which is not an error of the flight.
    const isTouching = bus[places.contactForceNed + 2]! < 0;
    if ((valid & POSITION_VALID) !== POSITION_VALID || isTouching) return;
    const set = places.setPosNed;
    const n = frame[pos]! - bus[set]!;
    const e = frame[pos + 1]! - bus[set + 1]!;
    const d = frame[pos + 2]! - bus[set + 2]!;
    const square = n * n + e * e + d * d;
    cells[ERROR_SQUARES]! += square;
    cells[ERROR_COUNT]! += 1;
    cells[ERROR_MAX] = Math.max(cells[ERROR_MAX]!, Math.sqrt(square));
  }

  /** Integrates voltage times current of all batteries by the trapezoidal rule. */
  private measurePower(frame: Float64Array, bus: Float64Array): void {
    const { cells, places, dims } = this;
    if (dims.batteries === 0) return;
    let powerW = 0;
    let remaining = 1;
    for (let i = 0; i < dims.batteries; i += 1) {
      const volts = bus[places.batteryVoltage + i]!;
      powerW += volts * bus[places.batteryCurrent + i]!;
      remaining = Math.min(remaining, bus[places.batteryRemaining + i]!);
      cells[VOLTAGE_MIN] = Math.min(cells[VOLTAGE_MIN]!, volts);
    }
    const tUs = frame[0]!;
    const lastUs = cells[LAST_US]!;
    if (lastUs >= 0) cells[ENERGY_J]! += (0.5 * (powerW + cells[LAST_POWER_W]!) * (tUs - lastUs)) / 1e6;
    cells[LAST_US] = tUs;
    cells[LAST_POWER_W] = powerW;
    cells[REMAINING] = remaining;
  }
}
