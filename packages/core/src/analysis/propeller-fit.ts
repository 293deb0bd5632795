/**
 * Fits the blade parameters of the momentum rotor model (`vehicle.propulsion.momentum`) to measured coefficients of a
 * propeller, C_T = T/(ρn²D⁴) and C_P = P/(ρn³D⁵), over rotor speed and advance ratio J = V/(nD).
 *
 * It applies the Levenberg–Marquardt method to the plant's rotor equations. Residuals are relative to the largest
 * value of each coefficient. A parameter that the rows cannot determine keeps its default. If all speeds are similar,
 * this applies to the dependence on the Reynolds number; if all advance ratios are similar, to pitch and induced power.
 * Rows with little or negative thrust are not fitted, because blade twist dominates there, and the model has none.
 */
import { solveLeastNorm } from "../math/linear-solve.ts";
import { airInto } from "../multirotor/equations/air/air.ts";
import { momentumRotorsInto } from "../multirotor/equations/rotors/momentum.ts";
import { plantErrors } from "../multirotor/errors.ts";
import { inputView, SCRATCH_SIZE, scratchView, stateView, vehicleConstants } from "../multirotor/memory.ts";
import { packMultirotor } from "../multirotor/pack.ts";
import { resolveVehicle } from "../multirotor/vehicle.ts";
import type { Environment } from "../world/environment.ts";

/** One measurement. */
export interface PropellerRow {
  readonly rpm: number;
  /** 0 in a static test. */
  readonly advanceRatio: number;
  readonly thrustCoefficient: number;
  readonly powerCoefficient: number;
}

export interface PropellerOptions {
  readonly diameterM: number;
  /** Default: 2. */
  readonly blades?: number;
  /** Blades times chord at 75 % of the radius, divided by π times the radius. Default: 0.125. */
  readonly solidity?: number;
  /** Density of the air in the test. Default: 1.225. */
  readonly densityKgM3?: number;
}

/** Parameters of `vehicle.propulsion.momentum` that are fitted. */
type FittedName = (typeof FITTED)[number]["name"];
export type PropellerBlade = { readonly [name in FittedName | "solidity"]: number };

/** Root mean square of the differences, relative to the largest measured coefficient. */
export interface PropellerError {
  readonly thrust: number;
  readonly power: number;
}

export interface PropellerFit {
  readonly blade: PropellerBlade;
  /** Parameters that keep their defaults, because the rows cannot determine them. */
  readonly kept: readonly FittedName[];
  /** The measurements with the coefficients of the fitted blade, and whether each was used for the fit. */
  readonly rows: readonly {
    readonly measured: PropellerRow;
    readonly thrustCoefficient: number;
    readonly powerCoefficient: number;
    readonly isFitted: boolean;
  }[];
  /** Error of the rows that were fitted. */
  readonly error: PropellerError;
  /**
   * Cross-check: every second row of the fit is left out, a blade is fitted to the others, and this is its error on the
   * rows that were left out. Absent if there are too few rows.
   */
  readonly heldOut?: PropellerError;
}

interface Parameter {
  readonly name: string;
  readonly start: number;
  readonly low: number;
  readonly high: number;
  /** What must differ between the rows to determine the parameter. */
  readonly needs?: "speeds" | "advances";
}

const FITTED = [
  { name: "liftSlopePerRad", start: 5.99, low: 1, high: 15 },
  { name: "profileDrag", start: 0.0166, low: 0.002, high: 0.3 },
  { name: "pitchRad", start: 0.3237, low: 0.05, high: 0.9, needs: "advances" },
  { name: "inducedFactor", start: 1.173, low: 1, high: 2.5, needs: "advances" },
  { name: "lowReynoldsLift", start: 0.517, low: 0.1, high: 1, needs: "speeds" },
  { name: "lowReynoldsDrag", start: 1.78, low: 0.5, high: 10, needs: "speeds" },
  { name: "reynoldsTransition", start: 1.22e5, low: 1e4, high: 1e6, needs: "speeds" },
] as const satisfies readonly Parameter[];

/** Parameters that need different speeds are fitted if the speeds of the rows differ by at least this factor. */
const MIN_SPEED_RATIO = 1.5;
/** Parameters that need different advance ratios are fitted if the advance ratios differ by at least this amount. */
const MIN_ADVANCE_SPAN = 0.2;
/** Rows with less than this fraction of the largest thrust are not fitted. */
const MIN_THRUST_FRACTION = 0.1;
const MAX_ROUNDS = 100;
/** The fit ends when the relative decrease of the sum of squares is below this. */
const MIN_RELATIVE_DECREASE = 1e-9;

/** Finds the blade that fits the rows best, and its error. Throws PLANT-009 if there are too few rows. */
export function fitPropeller(rows: readonly PropellerRow[], options: PropellerOptions): PropellerFit {
  const largest = Math.max(...rows.map(({ thrustCoefficient }) => thrustCoefficient));
  const isUsed = (row: PropellerRow) =>
    row.thrustCoefficient > 0 && row.thrustCoefficient >= MIN_THRUST_FRACTION * largest;
  const used = rows.filter(isUsed);
  const free = determinedBy(used);
  if (2 * used.length <= free.length || used.length < 3) {
    throw plantErrors.propellerRows({
      what: `${used.length} of ${rows.length} rows have enough thrust for a fit, too few to determine a blade`,
      fix: "give at least 4 rows with at least a tenth of the largest thrust, better 10 that differ in speed and advance ratio",
    });
  }
  const bench = new Bench(options);
  const blade = leastSquares(bench, used, free);
  return {
    blade,
    kept: FITTED.map(({ name }) => name).filter((name) => !free.some((parameter) => parameter.name === name)),
    rows: rows.map((measured) => ({ measured, ...bench.coefficients(blade, measured), isFitted: isUsed(measured) })),
    error: errorOf(bench, blade, used),
    ...heldOutError(bench, used, free),
  };
}

/** Fits a blade to half of the rows and returns its error on every second row, if there are enough rows. */
function heldOutError(
  bench: Bench,
  used: readonly PropellerRow[],
  free: readonly Parameter[],
): Pick<PropellerFit, "heldOut"> {
  const [fitRows, testRows] = [used.filter((_, i) => i % 2 === 0), used.filter((_, i) => i % 2 === 1)];
  if (2 * fitRows.length <= free.length + 2 || testRows.length === 0) return {};
  return { heldOut: errorOf(bench, leastSquares(bench, fitRows, free), testRows) };
}

function determinedBy(rows: readonly PropellerRow[]): Parameter[] {
  const speeds = rows.map(({ rpm }) => rpm);
  const advances = rows.map(({ advanceRatio }) => advanceRatio);
  const differs = {
    speeds: Math.max(...speeds) >= MIN_SPEED_RATIO * Math.min(...speeds),
    advances: Math.max(...advances) - Math.min(...advances) >= MIN_ADVANCE_SPAN,
  };
  return FITTED.filter((parameter: Parameter) => parameter.needs === undefined || differs[parameter.needs]);
}

function errorOf(bench: Bench, blade: PropellerBlade, rows: readonly PropellerRow[]): PropellerError {
  const differences = residualsOf(bench, blade, rows);
  const rms = (part: number) => {
    const squares = differences.filter((_, i) => i % 2 === part).map((value) => value * value);
    return Math.sqrt(squares.reduce((sum, value) => sum + value, 0) / squares.length);
  };
  return { thrust: rms(0), power: rms(1) };
}

/** Returns the differences of thrust and power of each row, relative to the largest measured values. */
function residualsOf(bench: Bench, blade: PropellerBlade, rows: readonly PropellerRow[]): number[] {
  const thrust = Math.max(...rows.map((row) => row.thrustCoefficient));
  const power = Math.max(...rows.map((row) => Math.abs(row.powerCoefficient)));
  return rows.flatMap((row) => {
    const ours = bench.coefficients(blade, row);
    return [
      (ours.thrustCoefficient - row.thrustCoefficient) / thrust,
      (ours.powerCoefficient - row.powerCoefficient) / power,
    ];
  });
}

function leastSquares(bench: Bench, rows: readonly PropellerRow[], free: readonly Parameter[]): PropellerBlade {
  const bladeOf = (z: readonly number[]): PropellerBlade => {
    const values: Record<string, number> = Object.fromEntries(FITTED.map(({ name, start }) => [name, start]));
    free.forEach(({ name, start }, i) => (values[name] = start * z[i]));
    return { ...(values as { [name in FittedName]: number }), solidity: bench.solidity };
  };
  const residuals = (z: readonly number[]) => residualsOf(bench, bladeOf(z), rows);
  const bounded = (z: readonly number[]) =>
    z.map((value, i) => Math.max(free[i].low / free[i].start, Math.min(free[i].high / free[i].start, value)));
  // Parameters are in units of their initial values.
  let z = free.map(() => 1);
  let current = residuals(z);
  let damping = 1e-3;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const columns = z.map((value, i) => {
      const step = 1e-5;
      const [above, below] = [value + step, value - step].map((moved) =>
        residuals(z.map((other, k) => (k === i ? moved : other))),
      );
      return above.map((high, k) => (high - below[k]) / (2 * step));
    });
    const before = sumOfSquares(current);
    let next = z;
    let candidate = current;
    for (; damping < 1e9; damping *= 4) {
      next = bounded(stepFrom(z, columns, current, damping));
      candidate = residuals(next);
      if (sumOfSquares(candidate) < before) break;
    }
    if (!(sumOfSquares(candidate) < before)) break;
    z = next;
    current = candidate;
    damping /= 10;
    if (before - sumOfSquares(candidate) < MIN_RELATIVE_DECREASE * before) break;
  }
  return bladeOf(z);
}

/** Computes one Levenberg–Marquardt step: (JᵀJ + damping·diag(JᵀJ))·δ = −Jᵀr. */
function stepFrom(
  z: readonly number[],
  columns: readonly (readonly number[])[],
  residuals: readonly number[],
  damping: number,
): number[] {
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  const matrix = columns.map((a, i) =>
    columns.map((b, k) => dot(a, b) * (i === k ? 1 + damping : 1) + (i === k ? 1e-12 : 0)),
  );
  const delta = solveLeastNorm(
    matrix,
    columns.map((column) => -dot(column, residuals)),
  );
  return delta === undefined ? [...z] : z.map((value, i) => value + delta[i]);
}

function sumOfSquares(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value * value, 0);
}

/** Evaluates one propeller in uniform air: a vehicle of a single rotor, away from the ground. */
class Bench {
  readonly solidity: number;
  private readonly diameterM: number;
  private readonly densityKgM3: number;
  private readonly blades: number;
  private packed: { readonly of: PropellerBlade; readonly constants: ReturnType<typeof vehicleConstants> } | undefined;

  constructor({ diameterM, blades = 2, solidity = 0.125, densityKgM3 = 1.225 }: PropellerOptions) {
    this.diameterM = diameterM;
    this.blades = blades;
    this.solidity = solidity;
    this.densityKgM3 = densityKgM3;
  }

  coefficients(blade: PropellerBlade, { rpm, advanceRatio }: PropellerRow) {
    const constants = this.constantsOf(blade);
    const w = scratchView(new Float64Array(SCRATCH_SIZE));
    const x = stateView(new Float64Array(64), constants);
    const u = inputView(new Float64Array(256), constants);
    const turns = rpm / 60;
    const d2 = this.diameterM * this.diameterM;
    x.qBodyToNed[0] = 1;
    x.posNed[2] = -ALTITUDE_M;
    x.velNed[2] = -advanceRatio * turns * this.diameterM;
    x.rotorSpeed[0] = 2 * Math.PI * turns;
    airInto(w, x, u, constants);
    momentumRotorsInto(w, x, u, constants);
    const force = this.densityKgM3 * turns * turns * d2 * d2;
    return {
      thrustCoefficient: w.thrust[0] / force,
      powerCoefficient: (2 * Math.PI * w.torque[0]) / (force * this.diameterM),
    };
  }

  private constantsOf(blade: PropellerBlade) {
    if (this.packed?.of !== blade) {
      const vehicle = resolveVehicle({
        massKg: 1,
        inertiaDiagKgM2: [1, 1, 1],
        rotors: [{ positionM: [0, 0, 0], direction: 1, channel: 1 }],
        propulsion: { radiusM: this.diameterM / 2, blades: this.blades, momentum: { ...blade, groundEffect: false } },
        batteries: [{}],
        contact: { enabled: false },
      });
      const { p, n } = packMultirotor(vehicle, uniformAir(this.densityKgM3));
      this.packed = { of: blade, constants: vehicleConstants(p, n) };
    }
    return this.packed.constants;
  }
}

const ALTITUDE_M = 1000;
/** Temperature of the standard atmosphere at sea level. */
const TEMPERATURE_K = 288.15;
const GAS_CONSTANT = 287.05287;

function uniformAir(densityKgM3: number): Environment {
  const air = [densityKgM3, TEMPERATURE_K, densityKgM3 * GAS_CONSTANT * TEMPERATURE_K];
  return {
    atmosphere: { sampleInto: (out) => out.set(air), minAltitudeM: -1e5, maxAltitudeM: 1e5, breaksM: [] },
    gravity: { coefficients: [9.80665, 0, 0, 0] },
    origin: { latDeg: 0, lonDeg: 0, altMslM: 0 },
  };
}
