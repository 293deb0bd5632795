/**
 * Faults of one instrument, laid over its healthy values: stuck, bias, drift, drop-out, noise burst.
 *
 * The scenario says which fault is in force and how large it is; the channel remembers what was last reported and when
 * the fault began. Its dice fall at every sample, faulty or not, so that a fault shifts nobody else's numbers.
 */
import type { Readable } from "../../engine/contracts.ts";
import { SENSORS } from "../../engine/signals.ts";
import { RandomStream } from "../../random/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import type { Clock } from "../../time/clock.ts";

export type FaultySensor = (typeof SENSORS)[number];

/** Numbers of `sensorFaultKind`. */
export const FAULT = { none: 0, stuck: 1, bias: 2, drift: 3, dropOut: 4, noise: 5 } as const;

interface FaultBus {
  readonly sensorFaultKind: Readable;
  readonly sensorFaultLevel: Readable;
}

const KIND = 0;
const SINCE_S = 1;

export class FaultChannel implements Saveable {
  private readonly index: number;
  private readonly dice: RandomStream;
  private readonly burst: Float64Array;
  private readonly last: Float64Array;
  /** `[fault in force at the last sample, when it began]`. */
  private readonly memory = new Float64Array(2);

  constructor(options: { sensor: FaultySensor; size: number; seed: number }) {
    this.index = SENSORS.indexOf(options.sensor);
    this.dice = new RandomStream(options.seed, `sensor.${options.sensor}.fault`);
    this.burst = new Float64Array(options.size);
    this.last = new Float64Array(options.size);
  }

  /** Turns healthy values into those reported; false when nothing is reported at all. */
  apply(values: Float64Array, clock: Clock, bus: FaultBus): boolean {
    const kind = bus.sensorFaultKind[this.index]!;
    const level = bus.sensorFaultLevel[this.index]!;
    const { burst, last, memory } = this;
    this.dice.gaussiansInto(burst);
    if (kind !== memory[KIND]) {
      memory[KIND] = kind;
      memory[SINCE_S] = clock.s;
    }
    if (kind === FAULT.dropOut) return false;
    const offset = kind === FAULT.bias ? level : kind === FAULT.drift ? level * (clock.s - memory[SINCE_S]!) : 0;
    const noise = kind === FAULT.noise ? level : 0;
    for (let i = 0; i < values.length; i += 1) {
      values[i] = kind === FAULT.stuck ? last[i]! : values[i]! + offset + noise * burst[i]!;
      last[i] = values[i]!;
    }
    return true;
  }

  save(writer: SnapshotWriter): void {
    this.dice.save(writer);
    writer.numbers(this.last);
    writer.numbers(this.memory);
  }

  load(reader: SnapshotReader): void {
    this.dice.load(reader);
    reader.numbersInto(this.last);
    reader.numbersInto(this.memory);
  }
}
