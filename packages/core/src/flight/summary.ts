/**
 * What a pilot would want to know afterwards: what happened when, how far it went, what it cost.
 *
 * An observer like the recorder: it reads the frame and the bus at the end of boundaries and changes nothing. What was
 * said (requests, faults, modes, progress) is told where it changed; what the vehicle did (touch-downs, warnings,
 * extremes, means) is taken where a log row is due, so that a recording tells the same.
 */
import type { SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import { acos } from "../math/index.ts";
import type { StateLayout } from "../state/index.ts";
import { type BoundaryView, BusLayout, type Dims, DUE_BITS, type Observer, type SignalName } from "../engine/index.ts";
import { type FlightEvent, type StoryContext, StoryTeller, type Touchdown } from "./story.ts";

export type { FlightEvent, StoryContext, Touchdown } from "./story.ts";

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
/** Bits of `setpointValid`: a position is commanded in all three directions. */
const POSITION_VALID = 3;

/** Cells of the running sums, one saved array. */
const CELLS = [
  "altitudeMax",
  "speedMax",
  "tiltCosMin",
  "distanceMax",
  "errorSquares",
  "errorMax",
  "errorCount",
  "windSum",
  "windMax",
  "rows",
  "voltageMin",
  "energyJ",
  "lastUs",
  "lastPowerW",
  "remaining",
] as const;
type Cell = (typeof CELLS)[number];

export class SummaryObserver implements Observer {
  readonly shownAt = DUE_BITS.scenario | DUE_BITS.autopilot | DUE_BITS.log;
  private readonly story: StoryTeller;
  private readonly cells = new Float64Array(CELLS.length);
  private readonly at: Readonly<Record<Cell, number>>;
  private readonly places: Readonly<Record<SignalName, number>>;
  private readonly dims: Dims;
  private readonly pos: number;
  private readonly vel: number;
  private readonly att: number;

  constructor(dims: Dims, state: StateLayout, context: StoryContext = {}) {
    this.dims = dims;
    this.at = Object.fromEntries(CELLS.map((cell, i) => [cell, i])) as Record<Cell, number>;
    const layout = new BusLayout(dims);
    this.places = Object.fromEntries(layout.signals.map(({ name, offset }) => [name, offset])) as Record<
      SignalName,
      number
    >;
    // Offsets in the frame, whose first cell is the time; 0 where the plant has no such block.
    const inFrame = (name: string) => 1 + (state.find(name)?.offset ?? -1);
    this.pos = inFrame("posNed");
    this.vel = inFrame("velNed");
    this.att = inFrame("qBodyToNed");
    this.story = new StoryTeller(layout, { pos: this.pos, vel: this.vel }, context);
    this.cells[this.at.voltageMin] = Infinity;
    this.cells[this.at.tiltCosMin] = 1;
    this.cells[this.at.lastUs] = -1;
  }

  get events(): readonly FlightEvent[] {
    return this.story.events;
  }

  /** The last time the vehicle came down on the ground. */
  get touchdown(): Touchdown | undefined {
    return this.story.touchdown;
  }

  readonly observe = (view: BoundaryView): void => {
    const isLogged = (view.due & DUE_BITS.log) !== 0;
    this.story.listen(view, isLogged);
    if (isLogged && this.hasMotion) this.measure(view);
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
    this.story.save(writer);
  }

  load(reader: SnapshotReader): void {
    reader.section("summary");
    reader.numbersInto(this.cells);
    this.story.load(reader);
  }

  private get hasMotion(): boolean {
    return this.pos > 0 && this.vel > 0 && this.att > 0;
  }

  private measure({ frame, bus }: BoundaryView): void {
    const { cells, at, pos, vel, att, places } = this;
    this.raise("altitudeMax", -frame[pos + 2]!);
    this.raise("speedMax", norm(frame, vel, 3));
    this.raise("distanceMax", norm(frame, pos, 2));
    const tiltCos = 1 - 2 * (frame[att + 1]! * frame[att + 1]! + frame[att + 2]! * frame[att + 2]!);
    if (tiltCos < cells[at.tiltCosMin]!) cells[at.tiltCosMin] = tiltCos;
    const wind = norm(bus, places.windNed, 3);
    cells[at.windSum]! += wind;
    this.raise("windMax", wind);
    this.measureError(frame, bus);
    this.measurePower(frame[0]!, bus);
    cells[at.rows]! += 1;
  }

  private raise(cell: Cell, value: number): void {
    if (value > this.cells[this.at[cell]]!) this.cells[this.at[cell]] = value;
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
    this.raise("errorMax", Math.sqrt(square));
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
