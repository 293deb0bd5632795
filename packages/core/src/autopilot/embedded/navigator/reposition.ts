/**
 * A request to fly to a position: PX4's reposition command.
 *
 * As in PX4, the navigator accepts the request at its next tick, only while armed, and only if the fence allows the
 * position. Hold mode then flies there if it is active within half a second; otherwise the request expires.
 */
import type { Readable } from "../../../engine/contracts.ts";
import { PartWithMemory } from "../../../snapshot/index.ts";
import type { Clock } from "../../../time/index.ts";
import type { Leg } from "./leg.ts";
import { TYPE_LOITER } from "./triplet.ts";

/** Hold mode uses a request only within this time (µs). */
const TIMEOUT_US = 500_000;

export class Reposition extends PartWithMemory {
  private readonly leg: Leg;
  private readonly isForbidden: (posNed: Readable) => boolean;
  private readonly m = {
    isRequested: false,
    isAccepted: false,
    acceptedUs: 0,
    posNed: new Float64Array(3),
    yawRad: 0,
    cruiseMps: 0,
  };
  protected readonly memory = this.m;

  constructor(leg: Leg, isForbidden: (posNed: Readable) => boolean) {
    super();
    this.leg = leg;
    this.isForbidden = isForbidden;
  }

  request(posNed: Readable, yawRad: number): void {
    const { m } = this;
    m.isRequested = true;
    for (let i = 0; i < 3; i += 1) m.posNed[i] = posNed[i]!;
    m.yawRad = yawRad;
  }

  /**
   * Accepts or drops a request. Call at every tick of the navigator, before its mode. Keeps the speed of a hold in
   * progress.
   */
  accept(clock: Clock, isHolding: boolean): void {
    const { m, leg } = this;
    if (!m.isRequested) return;
    m.isRequested = false;
    if (!leg.armed || this.isForbidden(m.posNed)) return;
    m.isAccepted = true;
    m.acceptedUs = clock.us;
    m.cruiseMps = isHolding ? leg.cruise.speedMps : -1;
  }

  /** Makes the position the setpoint of hold mode. Returns false if there is no request, or only an expired one. */
  apply(clock: Clock): boolean {
    const { m, leg } = this;
    if (!m.isAccepted || clock.us - m.acceptedUs >= TIMEOUT_US) return false;
    m.isAccepted = false;
    const { previous, current, next } = leg.triplet;
    previous.posNed.set(leg.vehicle.posNed);
    previous.yawRad = leg.vehicle.headingRad;
    current.valid = true;
    current.type = TYPE_LOITER;
    current.posNed.set(m.posNed);
    current.yawRad = m.yawRad;
    current.radiusM = leg.radiusM;
    current.loiterRadiusM = 0;
    current.cruiseMps = m.cruiseMps;
    current.stampUs = m.acceptedUs;
    next.valid = false;
    return true;
  }
}
