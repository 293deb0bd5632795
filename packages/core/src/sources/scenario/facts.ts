/**
 * Facts that the scenario derives from the truth: ground contact, the speed just before it, and whether the vehicle is
 * at rest. They are used to judge a flight; the autopilot has its own land detector.
 */
import type { Clock } from "../../time/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import type { StateLayout } from "../../state/index.ts";
import type { Readable, View } from "../../engine/index.ts";
import type { ScenarioFacts } from "./quantities.ts";

/** A vehicle in contact that is slower than this is at rest. */
const REST_SPEED_MPS = 0.5;
/** A vehicle without contact and this much above its start has flown. */
const FLOWN_HEIGHT_M = 0.3;
/** Before the first outputs exist, a vehicle at rest this close to the ground counts as being on it. */
const START_HEIGHT_M = 0.5;

const TIME_S = 0;
const TOUCHING = 1;
const IMPACT_MPS = 2;
const FREE_SPEED_MPS = 3;
const LANDED = 4;
const UPDATES = 5;
const FLOWN = 6;
const START_ALTITUDE_M = 7;
const LAST_SPEED_MPS = 8;

export class TouchFacts implements ScenarioFacts, Saveable {
  private readonly cells = new Float64Array(9);
  private readonly hasMotion: boolean;
  private readonly posOffset: number;
  private readonly velOffset: number;
  private x: Readable | undefined;

  constructor(layout: StateLayout) {
    this.posOffset = layout.find("posNed")?.offset ?? -1;
    this.velOffset = layout.find("velNed")?.offset ?? -1;
    this.hasMotion = this.posOffset >= 0 && this.velOffset >= 0;
  }

  get timeS(): number {
    return this.cells[TIME_S]!;
  }

  get isTouching(): number {
    return this.cells[TOUCHING]!;
  }

  get hasFlown(): number {
    return this.cells[FLOWN]!;
  }

  get impactSpeedMps(): number {
    return this.cells[IMPACT_MPS]!;
  }

  /** The true state vector. */
  state(bus: View<"scenario">): Readable {
    this.x ??= bus.truth.whole();
    return this.x;
  }

  update(clock: Clock, bus: View<"scenario">): void {
    const { cells } = this;
    cells[TIME_S] = clock.s;
    if (!this.hasMotion) return;
    const x = this.state(bus);
    const { velOffset, posOffset } = this;
    const speed = Math.sqrt(
      x[velOffset]! * x[velOffset]! + x[velOffset + 1]! * x[velOffset + 1]! + x[velOffset + 2]! * x[velOffset + 2]!,
    );
    const touched = cells[TOUCHING]!;
    const isFirst = cells[UPDATES] === 0;
    // The scenario reads outputs of the previous boundary, so use the speed of that boundary too.
    const touches = bus.contactForceNed[2]! < 0 ? 1 : 0;
    cells[TOUCHING] = touches;
    cells[IMPACT_MPS] = touches === 1 && touched === 0 ? Math.max(cells[LAST_SPEED_MPS]!, cells[FREE_SPEED_MPS]!) : 0;
    if (touches === 0) cells[FREE_SPEED_MPS] = cells[LAST_SPEED_MPS]!;
    cells[LAST_SPEED_MPS] = speed;
    const rests = isFirst ? x[posOffset + 2]! > -START_HEIGHT_M : touches === 1;
    cells[LANDED] = rests && speed < REST_SPEED_MPS ? 1 : 0;
    if (isFirst) cells[START_ALTITUDE_M] = -x[posOffset + 2]!;
    if (touches === 0 && -x[posOffset + 2]! > cells[START_ALTITUDE_M]! + FLOWN_HEIGHT_M) cells[FLOWN] = 1;
    cells[UPDATES]! += 1;
  }

  publish(bus: View<"scenario">): void {
    if (this.hasMotion) bus.landed[0] = this.cells[LANDED]!;
  }

  save(writer: SnapshotWriter): void {
    writer.numbers(this.cells);
  }

  load(reader: SnapshotReader): void {
    reader.numbersInto(this.cells);
  }
}
