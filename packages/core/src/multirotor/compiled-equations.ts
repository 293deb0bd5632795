/**
 * The multirotor's right-hand side for the specialiser: as data, with what it calls as it stands, and examples that take
 * its branches.
 *
 * Contact and the searches of bus voltage and inflow are rare or have loops that end by the state: they stay functions.
 * The examples are those of flights as they go: what none of them does (a jammed rotor, a battery cut off, a charge beyond
 * its ends, a duty out of range) is left to the reference.
 */
import type { ClearBounds, Equations } from "../integrate/contract.ts";
import type { StateLayout } from "../state/index.ts";
import { type Dims, inputLayout } from "../engine/index.ts";
import { RandomStream } from "../random/index.ts";
import { contactInto } from "./equations/contact/contact.ts";
import { AIR, N, P, W, W_SIZE, X } from "./memory.ts";
import { multirotorProgram } from "./program.ts";
import { searchBusInto } from "./equations/power/bus-solve.ts";
import { searchInflowInto } from "./equations/rotors/inflow.ts";

export interface EquationsParts {
  readonly p: Float64Array;
  readonly n: Int32Array;
  readonly dims: Dims;
  readonly layout: StateLayout;
  readonly initialInto: (x: Float64Array) => void;
  readonly into: Equations["into"];
  readonly outputsInto: NonNullable<Equations["outputsInto"]>;
  readonly adopt: NonNullable<Equations["adopt"]>;
}

const EXAMPLES = 40;
/** Of the reach of the farthest point: a tenth more covers rounding. */
export const FAR_REACHES = 1.1;

function cells(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => from + i);
}

export function multirotorEquations(parts: EquationsParts): Equations {
  const { p, n, dims, into, outputsInto, adopt } = parts;
  const { rotors, batteries } = dims;
  const examples = new Examples(parts);
  return {
    program: multirotorProgram,
    constants: { p, n },
    scratchSize: W_SIZE,
    inputSize: inputLayout(dims).size,
    calls: {
      contactInto: {
        run: contactInto,
        reads: () => cells(W.W_ROTATION, 9),
        writes: () => [...cells(W.W_CONTACT, 3), ...cells(W.W_CONTACT_MOMENT, 3)],
        writesSums: true,
      },
      searchBusInto: {
        run: searchBusInto,
        reads: (bus) => [
          ...cells(W.W_DUTY, rotors),
          ...cells(W.W_BACK_EMF, rotors),
          ...cells(W.W_SOURCE, batteries),
          ...cells(W.W_CONDUCTANCE, batteries),
          ...cells(W.W_LIMIT, batteries),
          W.W_SERVED + bus,
          W.W_STATUS,
        ],
        writes: (bus) => [W.W_VOLTAGE + bus, W.W_SERVED + bus, W.W_STATUS],
      },
      searchInflowInto: {
        run: searchInflowInto,
        reads: (i) => [W.W_CLIMB + i, W.W_ACROSS + i, W.W_ANGLE + i, W.W_SLOPE + i],
        writes: (i) => [W.W_INFLOW + i, W.W_BLADE + i],
      },
    },
    into,
    outputsInto,
    adopt,
    refusedAt: W.W_STATUS,
    outputCells: [W.W_STATUS, ...cells(W.W_OUTPUTS, W_SIZE - W.W_OUTPUTS)],
    calm: calmBox(parts),
    exampleCount: EXAMPLES,
    exampleInto: examples.into,
  };
}

/** High above the ground, every rotor turning or at rest, every battery neither empty nor overfull. */
function calmBox({ p, n, dims }: EquationsParts): ClearBounds {
  const speeds = cells(n[N.N_X_SPEED], n[N.N_MOTORS]);
  const charges = cells(n[N.N_X_SOC], dims.batteries);
  const fill = (count: number, value: number) => Array.from({ length: count }, () => value);
  return {
    states: [X.X_POS + 2, ...speeds, ...charges],
    low: [-Infinity, ...fill(speeds.length, -Number.MIN_VALUE), ...fill(charges.length, 0)],
    // Charge may be 1 and no more.
    high: [-FAR_REACHES * p[P.P_REACH], ...fill(speeds.length, Infinity), ...fill(charges.length, 1 + Number.EPSILON)],
  };
}

/** How an example flies: mostly in the air; now and then on the ground, at rest there, with motors off, or starting them. */
type Way = "air" | "ground" | "rest" | "off" | "start";

type Range = readonly [low: number, high: number];
const ROTORS: Readonly<Record<Way, { readonly speedRadps: Range; readonly duty: Range }>> = {
  air: { speedRadps: [250, 600], duty: [0.3, 0.9] },
  ground: { speedRadps: [0, 60], duty: [0, 0.1] },
  rest: { speedRadps: [0, 0], duty: [0, 0] },
  off: { speedRadps: [5, 400], duty: [0.3, 0.9] },
  start: { speedRadps: [0, 60], duty: [0.2, 1] },
};

function wayOf(k: number): Way {
  if (k % 8 === 0) return k % 16 === 0 ? "ground" : "rest";
  if (k % 8 === 4) return "start";
  return k % 16 === 6 ? "off" : "air";
}

class Examples {
  private readonly parts: EquationsParts;
  private readonly offsets: ReturnType<typeof inputLayout>["offsets"];
  private initial: Float64Array | undefined;

  constructor(parts: EquationsParts) {
    this.parts = parts;
    this.offsets = inputLayout(parts.dims).offsets;
  }

  readonly into = (x: Float64Array, u: Float64Array, k: number): void => {
    const dice = new RandomStream(k, "examples");
    const between = (low: number, high: number) => low + (high - low) * dice.uniform();
    if (this.initial === undefined) {
      this.initial = new Float64Array(x.length);
      this.parts.initialInto(this.initial);
    }
    x.set(this.initial);
    this.bodyInto(x, k, between);
    this.powerInto(x, wayOf(k), between);
    this.inputInto(u, wayOf(k), between);
  };

  private bodyInto(x: Float64Array, k: number, between: Between): void {
    const { p } = this.parts;
    const way = wayOf(k);
    const isDown = way === "ground" || way === "rest";
    x[X.X_POS + 2] = isDown ? p[P.P_REACH] * between(-1, 0.1) : k % 8 === 1 ? this.pastBorder() : between(-3000, -5);
    const vigour = isDown ? 0.3 : between(0, 15);
    for (let i = 0; i < 3; i += 1) {
      x[X.X_VEL + i] = between(-vigour, vigour);
      x[X.X_RATE + i] = between(-vigour, vigour) / 5;
    }
    const tilt = isDown ? 0.02 : 0.5;
    const q = [1, between(-tilt, tilt), between(-tilt, tilt), between(-2, 2)];
    const norm = Math.sqrt(q.reduce((sum, part) => sum + part * part, 0));
    q.forEach((part, i) => (x[X.X_Q + i] = part / norm));
  }

  /** A place just above a border of the density table, where a cell reaches into its second segment. */
  private pastBorder(): number {
    const { p, n } = this.parts;
    const altitude = p[P.P_ORIGIN_ALTITUDE];
    let at = P.P_AIR;
    for (let s = 1; s < n[N.N_AIR_SEGMENTS] && p[at] <= altitude; s += 1) at += AIR.AIR_STRIDE;
    return altitude - (p[at] + 0.01);
  }

  private powerInto(x: Float64Array, way: Way, between: Between): void {
    const { n, dims } = this.parts;
    const base = between(...ROTORS[way].speedRadps);
    for (let i = 0; i < n[N.N_MOTORS]; i += 1) x[n[N.N_X_SPEED] + i] = base * between(0.8, 1.2);
    for (let i = 0; i < dims.batteries; i += 1) {
      x[n[N.N_X_SOC] + i] = between(0, 1);
      x[n[N.N_X_V1] + i] = between(0, 0.3);
      if (n[N.N_TWO_RC] !== 0) x[n[N.N_X_V2] + i] = between(0, 0.3);
    }
    const duty = between(...ROTORS[way].duty);
    for (let i = 0; i < dims.rotors; i += 1) {
      x[X.X_MOTOR + i] = duty * between(0.8, 1);
      if (n[N.N_X_MOTOR_RATE] > 0) x[n[N.N_X_MOTOR_RATE] + i] = between(-2, 2);
    }
    for (let i = 0; i < n[N.N_SERVOS]; i += 1) x[n[N.N_X_SERVO] + i] = between(-1, 1);
  }

  private inputInto(u: Float64Array, way: Way, between: Between): void {
    const { dims } = this.parts;
    const { offsets } = this;
    u.fill(0);
    for (let i = 0; i < 3; i += 1) u[offsets.windNed + i] = between(-5, 5);
    for (let i = 0; i < dims.rotors; i += 1) u[offsets.motorGain + i] = way === "off" ? Math.floor(between(0, 2)) : 1;
    for (let i = 0; i < dims.batteries; i += 1) u[offsets.batteryConnected + i] = 1;
    for (let i = offsets.motorCommand; i < u.length; i += 1) u[i] = between(0, 1);
  }
}

type Between = (low: number, high: number) => number;
