/**
 * Checks at every boundary (law 10): the state is finite, attitudes have unit length, signals are finite and below the
 * largest possible magnitude, and commands are in range.
 *
 * They are cheap enough to be always on. If the sum of the magnitudes of an array is below a limit, every magnitude is,
 * so one sum checks the array. It is split into four partial sums, which the processor adds in parallel, because each
 * addition in a sum must wait for the previous one.
 */
import { stateErrors, type StateLayout } from "../state/index.ts";
import type { Bus } from "./bus.ts";
import { engineErrors } from "./errors.ts";
import { MOTOR_CHANNELS, SERVO_CHANNELS, SIGNAL_NAMES, signalSpec, type Writer } from "../signals/table.ts";

/** How far |q|² may be from 1: twice the allowed deviation of the norm, 1e-9. */
const UNIT_TOLERANCE = 2e-9;

/** Maximum magnitudes by unit. Even satellites stay below them. */
const MAX_BY_UNIT: Readonly<Record<string, number>> = { m: 1e9, "m/s": 1e5, "rad/s": 1e6 };

/** Every signal is smaller than this: distances in metres, pressures in pascals, and masks of up to 53 bits. */
const MAX_SIGNAL = 1e16;

export class StateGuard {
  private readonly layout: StateLayout;
  private readonly attitudes: Int32Array;
  /** Offsets of the values with a maximum magnitude, and these maxima. */
  private readonly bounded: Int32Array;
  private readonly maxima: Float64Array;

  constructor(layout: StateLayout) {
    this.layout = layout;
    this.attitudes = Int32Array.from(
      layout.blocks.filter(({ kind }) => kind === "attitude"),
      ({ offset }) => offset,
    );
    const bounded = layout.blocks.filter(({ unit }) => Object.hasOwn(MAX_BY_UNIT, unit));
    this.bounded = Int32Array.from(
      bounded.flatMap(({ offset, size }) => Array.from({ length: size }, (_, i) => offset + i)),
    );
    this.maxima = Float64Array.from(
      bounded.flatMap(({ unit, size }) => Array.from({ length: size }, () => MAX_BY_UNIT[unit]!)),
    );
  }

  check(x: Float64Array, timeCell: Float64Array): void {
    if (!areBelow(x, Infinity)) this.rejectState(x, timeCell[0]!);
    const { bounded, maxima } = this;
    for (let k = 0; k < bounded.length; k += 1) {
      const value = x[bounded[k]!]!;
      if (value > maxima[k]! || value < -maxima[k]!) this.rejectSize(x, timeCell[0]!, bounded[k]!);
    }
    for (let k = 0; k < this.attitudes.length; k += 1) {
      const at = this.attitudes[k]!;
      const norm2 = x[at]! * x[at]! + x[at + 1]! * x[at + 1]! + x[at + 2]! * x[at + 2]! + x[at + 3]! * x[at + 3]!;
      if (!(Math.abs(norm2 - 1) <= UNIT_TOLERANCE)) this.rejectAttitude(x, timeCell[0]!, at);
    }
  }

  private rejectState(x: Float64Array, tUs: number): never {
    const names = this.layout.componentNames();
    const bad = names.filter((_, i) => !Number.isFinite(x[i]!));
    const which = bad.length === 1 ? bad[0] : `${bad.length} values, the first ${bad[0]}`;
    // The first line is a complete message, for callers that print only one line; the whole state follows.
    throw stateErrors.notFinite({
      what: `the state is not finite: ${which}\n${this.layout.dump(x)}`,
      where: { tUs },
      fix: "use a smaller physics period or an adaptive integrator, or look for an impossible parameter",
    });
  }

  private rejectSize(x: Float64Array, tUs: number, index: number): never {
    throw stateErrors.tooLarge({
      what: `${this.layout.componentNames()[index]} is ${x[index]}\n${this.layout.dump(x)}`,
      where: { tUs },
      fix: "look for parameters that contradict each other, or use a smaller physics period",
    });
  }

  private rejectAttitude(x: Float64Array, tUs: number, offset: number): never {
    const name = this.layout.blocks.find((block) => block.offset === offset)!.name;
    const norm = Math.sqrt(x.subarray(offset, offset + 4).reduce((sum, value) => sum + value * value, 0));
    throw stateErrors.notUnit({
      what: `${name} has norm ${norm}`,
      where: { tUs },
      fix: "normalise attitudes in the plant's initial state and in its jump hook",
    });
  }
}

/**
 * Whether every magnitude is below the limit; NaN never is. With the limit Infinity this means that all values are
 * finite.
 */
function areBelow(values: Float64Array, limit: number): boolean {
  const { length } = values;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i < length - 3; i += 4) {
    a += Math.abs(values[i]!);
    b += Math.abs(values[i + 1]!);
    c += Math.abs(values[i + 2]!);
    d += Math.abs(values[i + 3]!);
  }
  for (; i < length; i += 1) a += Math.abs(values[i]!);
  // Values below the limit may have a sum above it; then check each value.
  return a + b + (c + d) < limit || values.every((value) => Math.abs(value) < limit);
}

/** Throws if a writer wrote a value that is not finite, or larger than any signal can be. */
export class WriterGuard {
  private readonly bus: Bus;
  private readonly writer: Writer;
  private readonly range: Float64Array;

  constructor(bus: Bus, writer: Writer) {
    const [offset, size] = bus.layout.ranges[writer];
    this.bus = bus;
    this.writer = writer;
    this.range = bus.values.subarray(offset, offset + size);
  }

  check(timeCell: Float64Array): void {
    if (!areBelow(this.range, MAX_SIGNAL)) this.reject(timeCell[0]!);
  }

  private reject(tUs: number): never {
    const { bus, writer } = this;
    const signalsWith = (isBad: (value: number) => boolean) =>
      SIGNAL_NAMES.filter((name) => signalSpec(name).writer === writer && bus.signal(name).some(isBad)).join(", ");
    const notFinite = signalsWith((value) => !Number.isFinite(value));
    if (notFinite !== "") {
      throw engineErrors.notFinite({
        what: `the ${writer} wrote a value that is not finite into ${notFinite}`,
        where: { tUs },
        fix: "publish a finite value, and mark it as invalid with a flag",
      });
    }
    const tooLarge = signalsWith((value) => Math.abs(value) >= MAX_SIGNAL);
    throw engineErrors.tooLarge({
      what: `the ${writer} wrote a value beyond ±${MAX_SIGNAL} into ${tooLarge}`,
      where: { tUs },
      fix: "look for parameters that contradict each other, or for an estimator whose error grows without bound",
    });
  }
}

export type CommandPolicy = "strict" | "clamp";

/** Applies the command policy in place; returns how many channels were out of range. */
export function applyCommandPolicy(
  policy: CommandPolicy,
  motors: Float64Array,
  servos: Float64Array,
  timeCell: Float64Array,
): number {
  let outside = 0;
  for (let i = 0; i < MOTOR_CHANNELS; i += 1) if (!(motors[i]! >= 0 && motors[i]! <= 1)) outside += 1;
  for (let i = 0; i < SERVO_CHANNELS; i += 1) if (!(servos[i]! >= -1 && servos[i]! <= 1)) outside += 1;
  if (outside === 0) return 0;
  if (policy === "strict") rejectCommand(motors, servos, timeCell[0]!);
  clampChannels(motors, 0);
  clampChannels(servos, -1);
  return outside;
}

/** Clamps out-of-range values to the nearest limit, and sets values that are not finite to 0. */
function clampChannels(channels: Float64Array, min: number): void {
  for (let i = 0; i < channels.length; i += 1) {
    const value = channels[i]!;
    if (value >= min && value <= 1) continue;
    channels[i] = Number.isFinite(value) ? Math.min(1, Math.max(min, value)) : 0;
  }
}

function rejectCommand(motors: Float64Array, servos: Float64Array, tUs: number): never {
  const motor = motors.findIndex((value) => !(value >= 0 && value <= 1));
  const channel = motor >= 0 ? motor : servos.findIndex((value) => !(value >= -1 && value <= 1));
  const value = motor >= 0 ? motors[channel] : servos[channel];
  throw engineErrors.badCommand({
    what: `${motor >= 0 ? "motor" : "servo"} channel ${channel + 1} was commanded ${value}, outside [${motor >= 0 ? 0 : -1}, 1]`,
    where: { tUs, stage: "autopilot" },
    fix: 'fix the autopilot, or fly with commandPolicy = "clamp", which clamps such commands and counts them',
  });
}
