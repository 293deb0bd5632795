/**
 * A linear random process x′ = A·x + b·w. Its input w is white noise that is drawn once per hold (a fixed number of
 * ticks) and constant until the next draw.
 *
 * Between two draws the solution is exact at every tick: x ← Φ·x + Γ·w, with Φ and Γ from one matrix exponential. For a
 * hold much shorter than the time constants, the autocorrelation is that of the process under continuous white noise,
 * but far fewer random numbers are drawn. The covariance P in the steady state solves P = Φ_H·P·Φ_Hᵀ + Γ_H·Γ_Hᵀ over a
 * hold H. P sets the size of w, and the process starts in its steady state.
 */
import type { RandomStream } from "../../random/index.ts";
import { PartWithMemory } from "../../snapshot/index.ts";

/** Number of doublings of the sum for P, enough for time constants of 2⁴⁰ holds. */
const DOUBLINGS = 48;
const TAYLOR_TERMS = 16;

interface HeldErrorOptions {
  /**
   * A, row by row, for two or three components: a chain, in which a component depends on itself and on those before it.
   * The input acts on the first component.
   */
  readonly rates: readonly (readonly number[])[];
  /** The component whose standard deviation is given, and this standard deviation. */
  readonly component: number;
  readonly sigma: number;
  readonly tickS: number;
  readonly holdTicks: number;
  readonly random: RandomStream;
}

export class HeldError extends PartWithMemory {
  /** The components of x at this tick. */
  readonly value: Float64Array;
  private readonly size: number;
  /** Φ row by row, and Γ times the standard deviation of the input. */
  private readonly transition: Float64Array;
  private readonly response: Float64Array;
  private readonly random: RandomStream;
  private readonly holdTicks: number;
  /** The held input, and the ticks until the next draw. */
  private readonly input = new Float64Array(1);
  private readonly ticksLeft = new Float64Array(1);
  protected readonly memory;

  constructor(options: HeldErrorOptions) {
    super();
    const { rates, component, sigma, tickS, holdTicks, random } = options;
    const n = rates.length;
    const { tick, covariance } = matricesOf(rates, tickS, holdTicks);
    const scale = sigma / Math.sqrt(covariance[component * n + component]!);
    this.size = n;
    this.transition = tick.transition;
    this.response = tick.response.map((value) => value * scale);
    this.random = random;
    this.holdTicks = holdTicks;
    const draws = new Float64Array(n);
    random.gaussiansInto(draws);
    this.value = startValue(covariance, draws, scale);
    this.memory = [random, this.value, this.input, this.ticksLeft];
  }

  /** Advances to the next tick. */
  step(): void {
    const { value, transition, response, input, ticksLeft, size } = this;
    if (ticksLeft[0] === 0) {
      this.random.gaussiansInto(input);
      ticksLeft[0] = this.holdTicks;
    }
    ticksLeft[0] = ticksLeft[0]! - 1;
    const w = input[0]!;
    // Unrolled for two and three components, because loops this short take twice as long.
    const first = value[0]!;
    const second = value[1]!;
    value[0] = response[0]! * w + transition[0]! * first;
    value[1] = response[1]! * w + transition[size]! * first + transition[size + 1]! * second;
    if (size === 2) return;
    value[2] = response[2]! * w + transition[6]! * first + transition[7]! * second + transition[8]! * value[2]!;
  }
}

interface Matrices {
  readonly tick: ReturnType<typeof discretise>;
  readonly covariance: Float64Array;
}

/**
 * The matrices of earlier processes, by their parameters. Most flights use the same matrices, and nothing writes to
 * them.
 */
const cache = new Map<string, Matrices>();
const MAX_CACHED = 32;

function matricesOf(rates: readonly (readonly number[])[], tickS: number, holdTicks: number): Matrices {
  const key = JSON.stringify([rates, tickS, holdTicks]);
  const before = cache.get(key);
  if (before !== undefined) return before;
  const hold = discretise(rates, tickS * holdTicks);
  const made = {
    tick: discretise(rates, tickS),
    covariance: steadyCovariance(hold.transition, hold.response),
  };
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(key, made);
  return made;
}

/** Returns Φ and Γ for a duration t. They are the blocks of exp([A b; 0 0]·t), with b on the first component. */
function discretise(
  rates: readonly (readonly number[])[],
  timeS: number,
): { transition: Float64Array; response: Float64Array } {
  const n = rates.length;
  const m = n + 1;
  const generator = new Float64Array(m * m);
  for (let i = 0; i < n; i += 1) for (let k = 0; k < n; k += 1) generator[i * m + k] = rates[i]![k]! * timeS;
  generator[n] = timeS;
  const exponential = exponentialOf(generator, m);
  const transition = new Float64Array(n * n);
  const response = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    for (let k = 0; k < n; k += 1) transition[i * n + k] = exponential[i * m + k]!;
    response[i] = exponential[i * m + n]!;
  }
  return { transition, response };
}

/** Returns the exponential of a square matrix: the Taylor series of the matrix scaled below 1/2, then squared back. */
function exponentialOf(matrix: Float64Array, n: number): Float64Array {
  let norm = 0;
  for (let i = 0; i < n; i += 1) {
    let sum = 0;
    for (let k = 0; k < n; k += 1) sum += Math.abs(matrix[i * n + k]!);
    norm = Math.max(norm, sum);
  }
  let squarings = 0;
  let scale = 1;
  while (norm * scale > 0.5) {
    scale /= 2;
    squarings += 1;
  }
  const scaled = matrix.map((value) => value * scale);
  let result = identity(n);
  let term = identity(n);
  for (let j = 1; j <= TAYLOR_TERMS; j += 1) {
    term = product(term, scaled, n).map((value) => value / j);
    result = result.map((value, i) => value + term[i]!);
  }
  for (let j = 0; j < squarings; j += 1) result = product(result, result, n);
  return result;
}

/** Returns P = Σ Fᵏ·g·gᵀ·(Fᵏ)ᵀ, summed by doubling. */
function steadyCovariance(transition: Float64Array, response: Float64Array): Float64Array {
  const n = response.length;
  let power = transition;
  let sum = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) for (let k = 0; k < n; k += 1) sum[i * n + k] = response[i]! * response[k]!;
  for (let j = 0; j < DOUBLINGS; j += 1) {
    const next = product(product(power, sum, n), transposed(power, n), n);
    sum = sum.map((value, i) => value + next[i]!);
    power = product(power, power, n);
  }
  return sum;
}

/** Returns a draw from the distribution with this covariance (Cholesky), times `scale`. */
function startValue(covariance: Float64Array, draws: Float64Array, scale: number): Float64Array {
  const n = draws.length;
  const root = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let k = 0; k <= i; k += 1) {
      let sum = covariance[i * n + k]!;
      for (let j = 0; j < k; j += 1) sum -= root[i * n + j]! * root[k * n + j]!;
      root[i * n + k] = i === k ? Math.sqrt(Math.max(sum, 0)) : sum / root[k * n + k]!;
    }
  }
  const value = new Float64Array(n);
  for (let i = 0; i < n; i += 1) {
    for (let k = 0; k <= i; k += 1) value[i]! += root[i * n + k]! * draws[k]! * scale;
  }
  return value;
}

function identity(n: number): Float64Array {
  return new Float64Array(n * n).map((_, i) => (i % (n + 1) === 0 ? 1 : 0));
}

function transposed(a: Float64Array, n: number): Float64Array {
  return a.map((_, i) => a[(i % n) * n + Math.floor(i / n)]!);
}

function product(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let k = 0; k < n; k += 1) {
      let sum = 0;
      for (let j = 0; j < n; j += 1) sum += a[i * n + j]! * b[j * n + k]!;
      out[i * n + k] = sum;
    }
  }
  return out;
}
