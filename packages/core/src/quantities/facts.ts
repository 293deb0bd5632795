/**
 * Facts derived from the true state: ground contact, the speed just before it, whether the vehicle is at rest, and its
 * highest altitude so far. They are used to judge a flight; the autopilot has its own land detector.
 *
 * The scenario derives them whenever it runs, and the monitors of requirements at every sample.
 */
import type { Clock } from "../time/index.ts";
import { PartWithMemory } from "../snapshot/index.ts";
import type { StateLayout } from "../state/index.ts";
import type { Readable } from "../engine/contracts.ts";
import type { QuantityFacts } from "./table.ts";

/** A vehicle in contact that is slower than this is at rest. */
const REST_SPEED_MPS = 0.5;
/** A vehicle without contact that is this much above its start has flown. */
const FLOWN_HEIGHT_M = 0.3;
/** Before the first outputs exist, a vehicle at rest this close to the ground counts as being on it. */
const START_HEIGHT_M = 0.5;

export class TouchFacts extends PartWithMemory implements QuantityFacts {
  /**
   * Fields that hold fractions are initialised to NaN, and the constructor then sets them to 0. V8 stores a field that
   * is initialised to 0 as an integer, and discards the optimised code of all its readers when the first fraction is
   * written.
   */
  private readonly m = {
    timeS: NaN,
    isTouching: 0,
    impactMps: NaN,
    freeSpeedMps: NaN,
    isLanded: 0,
    updates: 0,
    hasFlown: 0,
    startAltitudeM: NaN,
    lastSpeedMps: NaN,
    highestM: NaN,
    isAirborne: 0,
    altitudeM: NaN,
    groundM: NaN,
  };
  protected readonly memory = this.m;
  /** Whether the plant has a position and a velocity; without them, no facts can be derived. */
  readonly hasMotion: boolean;
  private readonly posOffset: number;
  private readonly velOffset: number;

  constructor(layout: StateLayout) {
    super();
    const { m } = this;
    m.timeS =
      m.impactMps =
      m.freeSpeedMps =
      m.startAltitudeM =
      m.lastSpeedMps =
      m.highestM =
      m.altitudeM =
      m.groundM =
        0;
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

  /** 1 from lift-off to touchdown; hops below the height that counts as flown are ignored. */
  get isAirborne(): number {
    return this.m.isAirborne;
  }

  get isLanded(): number {
    return this.m.isLanded;
  }

  /** How far the vehicle is below its highest altitude so far (m). */
  get heightLossM(): number {
    return this.m.highestM - this.m.altitudeM;
  }

  update(clock: Clock, x: Readable, bus: { readonly contactForceNed: Readable }): void {
    const { m } = this;
    m.timeS = clock.s;
    if (!this.hasMotion) return;
    const { velOffset, posOffset } = this;
    const speed = Math.sqrt(
      x[velOffset]! * x[velOffset]! + x[velOffset + 1]! * x[velOffset + 1]! + x[velOffset + 2]! * x[velOffset + 2]!,
    );
    const wasTouching = m.isTouching;
    const isFirst = m.updates === 0;
    // When the scenario calls this, x is current, but the contact force is that of the previous boundary. If contact
    // began at that boundary, the last speed without contact is that of two boundaries ago, which `freeSpeedMps` keeps.
    const isTouching = bus.contactForceNed[2]! < 0 ? 1 : 0;
    m.isTouching = isTouching;
    m.impactMps = isTouching === 1 && wasTouching === 0 ? Math.max(m.lastSpeedMps, m.freeSpeedMps) : 0;
    if (isTouching === 0) m.freeSpeedMps = m.lastSpeedMps;
    m.lastSpeedMps = speed;
    const isOnGround = isFirst ? x[posOffset + 2]! > -START_HEIGHT_M : isTouching === 1;
    m.isLanded = isOnGround && speed < REST_SPEED_MPS ? 1 : 0;
    const altitudeM = -x[posOffset + 2]!;
    m.altitudeM = altitudeM;
    if (isFirst) {
      m.startAltitudeM = altitudeM;
      m.highestM = altitudeM;
    }
    if (isFirst || isTouching === 1) m.groundM = altitudeM;
    m.highestM = Math.max(m.highestM, altitudeM);
    if (isTouching === 0 && altitudeM > m.startAltitudeM + FLOWN_HEIGHT_M) m.hasFlown = 1;
    if (isTouching === 1) m.isAirborne = 0;
    else if (altitudeM > m.groundM + FLOWN_HEIGHT_M) m.isAirborne = 1;
    m.updates += 1;
  }
}
