/** Turns keys, a gamepad and the pads on the screen into stick positions: roll, pitch, yaw, throttle, −1 to 1. */
import type { StickPositions } from "../protocol.ts";

/** Steps of a stick. They keep the description short, and are finer than a pilot can repeat. */
const STEPS = 20;
/** Sticks nearer to the centre than this are centred. */
const DEAD_ZONE = 0.1;
/** Deflection by a key; with Shift it is full. */
const KEY_DEFLECTION = 0.6;

/** Keys by their position on the keyboard: the stick's index and direction. */
const STICK_KEYS: Readonly<Record<string, readonly [axis: number, direction: number]>> = {
  KeyD: [0, 1],
  KeyA: [0, -1],
  KeyW: [1, 1],
  KeyS: [1, -1],
  ArrowRight: [2, 1],
  ArrowLeft: [2, -1],
  ArrowUp: [3, 1],
  ArrowDown: [3, -1],
};

export function isStickKey(code: string): boolean {
  return Object.hasOwn(STICK_KEYS, code);
}

/** Returns the stick positions for the held keys. */
export function positionsOfKeys(held: Iterable<string>, isFull: boolean): number[] {
  const positions = [0, 0, 0, 0];
  for (const code of held) {
    const [axis, direction] = STICK_KEYS[code]!;
    positions[axis]! += direction * (isFull ? 1 : KEY_DEFLECTION);
  }
  return positions;
}

/** Returns the positions of the first gamepad, in mode 2: throttle and yaw on the left, pitch and roll on the right. */
export function positionsOfGamepads(pads: readonly (Pick<Gamepad, "connected" | "axes"> | null)[]): number[] {
  const pad = pads.find((each) => each?.connected === true && each.axes.length >= 4);
  const [yaw = 0, down = 0, roll = 0, back = 0] = pad?.axes ?? [];
  return [roll, -back, yaw, -down];
}

/** Adds the positions of all sources, and rounds them to the steps of a stick. */
export function combinePositions(...sources: readonly (readonly number[])[]): StickPositions {
  return [0, 1, 2, 3].map((axis) =>
    roundToStep(sources.reduce((sum, each) => sum + each[axis]!, 0)),
  ) as unknown as StickPositions;
}

function roundToStep(position: number): number {
  const size = Math.abs(position);
  if (!(size >= DEAD_ZONE)) return 0;
  return (Math.sign(position) * Math.min(STEPS, Math.round(size * STEPS))) / STEPS;
}
