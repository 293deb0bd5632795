/**
 * Facts that the scenario derives from the truth: ground contact, the speed just before it, and whether the vehicle is
 * at rest. They are used to judge a flight; the autopilot has its own land detector.
 */
import type { Clock } from "../../time/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import type { StateLayout } from "../../state/index.ts";
import type { Readable, View } from "../../engine/index.ts";
import type { ScenarioFacts } from "./quantities.ts";

/** A vehicle in contact that is slower than this is at rest. */
const REST_SPEED_MPS = 0.5;
/** A vehicle without contact and this much above its start has flown. */
const FLOWN_HEIGHT_M = 0.3;
/** Before the first outputs exist, a vehicle at rest this close to the ground counts as being on it. */
const START_HEIGHT_M = 0.5;

export class TouchFacts extends PartWithMemory implements ScenarioFacts {
  private readonly m = {
    timeS: 0,
    isTouching: 0,
    impactMps: 0,
    freeSpeedMps: 0,
    isLanded: 0,
    updates: 0,
    hasFlown: 0,
    startAltitudeM: 0,
    lastSpeedMps: 0,
  };
  protected readonly memory = this.m;
  private readonly hasMotion: boolean;
  private readonly posOffset: number;
  private readonly velOffset: number;
  private x: Readable | undefined;

  constructor(layout: StateLayout) {
    super();
    this.posOffset = layout.find("posNed")?.offset ?? -1;
    this.velOffset = layout.find("velNed")?.offset ?? -1;
    this.hasMotion = this.posOffset >= 0 && this.velOffset >= 0;
  }

  get timeS(): number {
    return this.m.timeS;
  }

  get isTouching(): number {
    return this.m.isTouching;
  }

  get hasFlown(): number {
    return this.m.hasFlown;
  }

  get impactSpeedMps(): number {
    return this.m.impactMps;
  }

  /** The true state vector. */
  state(bus: View<"scenario">): Readable {
    this.x ??= bus.truth.whole();
    return this.x;
  }

  update(clock: Clock, bus: View<"scenario">): void {
    const { m } = this;
    m.timeS = clock.s;
    if (!this.hasMotion) return;
    const x = this.state(bus);
    const { velOffset, posOffset } = this;
    const speed = Math.sqrt(
      x[velOffset]! * x[velOffset]! + x[velOffset + 1]! * x[velOffset + 1]! + x[velOffset + 2]! * x[velOffset + 2]!,
    );
    const touched = m.isTouching;
    const isFirst = m.updates === 0;
    // The scenario reads outputs of the previous boundary, so use the speed of that boundary too.
    const touches = bus.contactForceNed[2]! < 0 ? 1 : 0;
    m.isTouching = touches;
    m.impactMps = touches === 1 && touched === 0 ? Math.max(m.lastSpeedMps, m.freeSpeedMps) : 0;
    if (touches === 0) m.freeSpeedMps = m.lastSpeedMps;
    m.lastSpeedMps = speed;
    const rests = isFirst ? x[posOffset + 2]! > -START_HEIGHT_M : touches === 1;
    m.isLanded = rests && speed < REST_SPEED_MPS ? 1 : 0;
    if (isFirst) m.startAltitudeM = -x[posOffset + 2]!;
    if (touches === 0 && -x[posOffset + 2]! > m.startAltitudeM + FLOWN_HEIGHT_M) m.hasFlown = 1;
    m.updates += 1;
  }

  publish(bus: View<"scenario">): void {
    if (this.hasMotion) bus.landed[0] = this.m.isLanded;
  }
}
