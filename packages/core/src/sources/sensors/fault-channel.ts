/**
 * Applies the faults of one instrument to its healthy values.
 *
 * The scenario selects the fault and its level. The channel keeps the last reported values and the drift so far, so a
 * drift that changes its rate continues from its current value. A sensor that is stuck from the start keeps its first
 * reading. The channel draws its random numbers at every sample, faulty or not, so that a fault does not change later
 * noise.
 */
import type { Readable } from "../../engine/contracts.ts";
import { SENSORS, SIGNALS, type SignalValue } from "../../signals/table.ts";
import { RandomStream } from "../../random/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";
import type { Clock } from "../../time/clock.ts";

export type FaultySensor = (typeof SENSORS)[number];

export const FAULTS = SIGNALS.sensorFaultKind.values;

export interface FaultBus {
  readonly sensorFaultKind: Readable;
  readonly sensorFaultLevel: Readable;
}

export class FaultChannel extends PartWithMemory {
  private readonly index: number;
  private readonly random: RandomStream;
  private readonly burst: Float64Array;
  private readonly last: Float64Array;
  /** The fault at the last sample, when it began, and the drift at that time. */
  private readonly current = { kind: 0, sinceS: 0, level: 0, drifted: 0, hasReported: false };
  protected readonly memory;

  constructor(options: { sensor: FaultySensor; size: number; seed: number }) {
    super();
    this.index = SENSORS.indexOf(options.sensor);
    this.random = new RandomStream(options.seed, `sensor.${options.sensor}.fault`);
    this.burst = new Float64Array(options.size);
    this.last = new Float64Array(options.size);
    this.memory = [this.random, this.last, this.current];
  }

  /** Replaces healthy values with reported ones. Returns false if the sensor reports nothing. */
  apply(values: Float64Array, clock: Clock, bus: FaultBus): boolean {
    const kind = bus.sensorFaultKind[this.index]! as SignalValue<"sensorFaultKind">;
    const level = bus.sensorFaultLevel[this.index]!;
    const { burst, last, current } = this;
    this.random.gaussiansInto(burst);
    if (kind !== current.kind || level !== current.level) this.begin(kind, level, clock);
    let offset = 0;
    let noise = 0;
    let isStuck = false;
    switch (kind) {
      case FAULTS.healthy:
        break;
      case FAULTS.stuck:
        isStuck = current.hasReported;
        break;
      case FAULTS.bias:
        offset = level;
        break;
      case FAULTS.drift:
        offset = this.driftAt(clock);
        break;
      case FAULTS["drop-out"]:
        return false;
      case FAULTS.noise:
        noise = level;
        break;
      default:
        kind satisfies never;
    }
    for (let i = 0; i < values.length; i += 1) {
      values[i] = isStuck ? last[i]! : values[i]! + offset + noise * burst[i]!;
      last[i] = values[i]!;
    }
    current.hasReported = true;
    return true;
  }

  private begin(kind: number, level: number, clock: Clock): void {
    const { current } = this;
    const continues = kind === FAULTS.drift && current.kind === FAULTS.drift;
    current.drifted = continues ? this.driftAt(clock) : 0;
    current.kind = kind;
    current.level = level;
    current.sinceS = clock.s;
  }

  private driftAt(clock: Clock): number {
    const { drifted, level, sinceS } = this.current;
    return drifted + level * (clock.s - sinceS);
  }
}
