/**
 * Applies the faults of one instrument to its healthy values.
 *
 * The scenario selects the fault and its level. The channel remembers the last reported values and the drift so far: a
 * drift that changes its rate continues from there, and a sensor that is stuck from the start is stuck at its first
 * reading. It draws its random numbers at every sample, faulty or not, so that a fault does not shift any other stream.
 */
import type { Readable } from "../../engine/contracts.ts";
import { SENSORS, SIGNALS, type SignalValue } from "../../signals/table.ts";
import { RandomStream } from "../../random/index.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";
import type { Clock } from "../../time/clock.ts";

type FaultySensor = (typeof SENSORS)[number];

export const FAULTS = SIGNALS.sensorFaultKind.values;

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
  private readonly random: RandomStream;
  private readonly burst: Float64Array;
  private readonly last: Float64Array;
  /**
   * Fault at the last sample, its level and start, the drift at its start, and whether the sensor has ever reported.
   */
  private readonly memory = new Float64Array(CELLS);

  constructor(options: { sensor: FaultySensor; size: number; seed: number }) {
    this.index = SENSORS.indexOf(options.sensor);
    this.random = new RandomStream(options.seed, `sensor.${options.sensor}.fault`);
    this.burst = new Float64Array(options.size);
    this.last = new Float64Array(options.size);
  }

  /** Turns healthy values into reported ones; false if the sensor reports nothing. */
  apply(values: Float64Array, clock: Clock, bus: FaultBus): boolean {
    const kind = bus.sensorFaultKind[this.index]! as SignalValue<"sensorFaultKind">;
    const level = bus.sensorFaultLevel[this.index]!;
    const { burst, last, memory } = this;
    this.random.gaussiansInto(burst);
    if (kind !== memory[KIND] || level !== memory[LEVEL]) this.begin(kind, level, clock);
    let offset = 0;
    let noise = 0;
    let isStuck = false;
    switch (kind) {
      case FAULTS.healthy:
        break;
      case FAULTS.stuck:
        isStuck = memory[HAS_REPORTED] === 1;
        break;
      case FAULTS.bias:
        offset = level;
        break;
      case FAULTS.drift:
        offset = this.drifted(clock);
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
    memory[HAS_REPORTED] = 1;
    return true;
  }

  private begin(kind: number, level: number, clock: Clock): void {
    const { memory } = this;
    const continues = kind === FAULTS.drift && memory[KIND] === FAULTS.drift;
    memory[DRIFTED] = continues ? this.drifted(clock) : 0;
    memory[KIND] = kind;
    memory[LEVEL] = level;
    memory[SINCE_S] = clock.s;
  }

  private drifted(clock: Clock): number {
    const { memory } = this;
    return memory[DRIFTED]! + memory[LEVEL]! * (clock.s - memory[SINCE_S]!);
  }

  save(writer: SnapshotWriter): void {
    this.random.save(writer);
    writer.numbers(this.last);
    writer.numbers(this.memory);
  }

  load(reader: SnapshotReader): void {
    this.random.load(reader);
    reader.numbersInto(this.last);
    reader.numbersInto(this.memory);
  }
}
