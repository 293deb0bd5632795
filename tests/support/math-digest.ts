// Digests of the bits of all portable functions, which every JavaScript engine must reproduce (law 9). The inputs use
// only basic arithmetic, so that the engine's own math functions do not matter.

import { seededRandom } from "./math-inputs.ts";

export interface MathFunctions {
  readonly sin: (x: number) => number;
  readonly cos: (x: number) => number;
  readonly tan: (x: number) => number;
  readonly asin: (x: number) => number;
  readonly acos: (x: number) => number;
  readonly atan: (x: number) => number;
  readonly atan2: (y: number, x: number) => number;
  readonly exp: (x: number) => number;
  readonly expm1: (x: number) => number;
  readonly log: (x: number) => number;
  readonly pow: (x: number, y: number) => number;
}

/** Returns eight hexadecimal digits for each function, over 20 000 inputs of many sizes. */
export function mathDigests(math: MathFunctions): Record<keyof MathFunctions, string> {
  const random = seededRandom(2026);
  const unit = (): number => 2 * random() - 1;
  /** Uniform in [−1, 1] times a power of two up to 2^±reach. */
  const sized = (reach: number): number => {
    let x = unit();
    for (let k = Math.floor(reach * unit()); k !== 0; k -= Math.sign(k)) x *= k > 0 ? 2 : 0.5;
    return x;
  };
  return {
    sin: digest(() => math.sin(sized(60))),
    cos: digest(() => math.cos(sized(60))),
    tan: digest(() => math.tan(sized(60))),
    asin: digest(() => math.asin(unit())),
    acos: digest(() => math.acos(unit())),
    atan: digest(() => math.atan(sized(10))),
    atan2: digest(() => math.atan2(sized(10), sized(10))),
    exp: digest(() => math.exp(sized(10))),
    expm1: digest(() => math.expm1(sized(10))),
    log: digest(() => math.log(Math.abs(sized(40)))),
    pow: digest(() => math.pow(Math.abs(sized(6)), sized(6))),
  };
}

const float = new Float64Array(1);
const bytes = new DataView(float.buffer);

function digest(next: () => number): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < 20_000; i++) {
    bytes.setFloat64(0, next());
    for (const at of [0, 4]) {
      hash = Math.imul(hash ^ bytes.getUint32(at), 0x01000193);
      hash = (hash << 13) | (hash >>> 19);
    }
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
