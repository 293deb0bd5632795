/**
 * Faults of one instrument, laid over its healthy values: stuck, bias, drift, drop-out, noise burst.
 *
 * The scenario says which fault is in force and how large it is; the channel remembers what was last reported and how far
 * a drift has gone: one that changes its rate goes on from there, and who is stuck from the start is so at its first
 * reading. Its dice fall at every sample, faulty or not, so that a fault shifts nobody else's numbers.
 */
import type { Readable } from "../../engine/contracts.ts";
import { SENSORS } from "../../signals/table.ts";
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
const LEVEL = 2;
const DRIFTED = 3;
const HAS_REPORTED = 4;
const CELLS = 5;

export class FaultChannel implements Saveable {
  private readonly index: number;
  private readonly dice: RandomStream;
  private readonly burst: Float64Array;
  private readonly last: Float64Array;
  /** Fault in force at the last sample with its level, since when, how far it had drifted by then; whether it reported. */
  private readonly memory = new Float64Array(CELLS);

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
    if (kind !== memory[KIND] || level !== memory[LEVEL]) this.begin(kind, level, clock);
    if (kind === FAULT.dropOut) return false;
    const offset = kind === FAULT.bias ? level : kind === FAULT.drift ? this.drifted(clock) : 0;
    const noise = kind === FAULT.noise ? level : 0;
    const isStuck = kind === FAULT.stuck && memory[HAS_REPORTED] === 1;
    for (let i = 0; i < values.length; i += 1) {
      values[i] = isStuck ? last[i]! : values[i]! + offset + noise * burst[i]!;
      last[i] = values[i]!;
    }
    memory[HAS_REPORTED] = 1;
    return true;
  }

  private begin(kind: number, level: number, clock: Clock): void {
    const { memory } = this;
    const goesOn = kind === FAULT.drift && memory[KIND] === FAULT.drift;
    memory[DRIFTED] = goesOn ? this.drifted(clock) : 0;
    memory[KIND] = kind;
    memory[LEVEL] = level;
    memory[SINCE_S] = clock.s;
  }

  private drifted(clock: Clock): number {
    const { memory } = this;
    return memory[DRIFTED]! + memory[LEVEL]! * (clock.s - memory[SINCE_S]!);
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
