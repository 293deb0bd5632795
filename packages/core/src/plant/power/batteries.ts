/**
 * Batteries as sources, and how their charge moves.
 *
 * A Thévenin pack is an open-circuit voltage over charge, a series resistance and one or two RC pairs:
 *   V0 = OCV(soc) − V1 − V2,  I = (V0 − V)/R0,  dsoc = −I/Q,  dV1 = I/C1 − V1/(R1·C1) (V2 alike).
 * Currents are positive when discharging and may be negative: packs in parallel share by Kirchhoff's law. Under-voltage
 * cut-off: protection lets no more current out than would pull the terminals to the cut-off voltage,
 * I ≤ (V0 − Vcut)/R0, and nothing out of an empty pack; so a bus below the cut-off browns out instead of being held up.
 */
const N_BATTERIES = 1;
const N_TWO_RC = 7;
const N_X_SOC = 14;
const N_X_V1 = 15;
const N_X_V2 = 16;
const N_U_CONNECTED = 20;
const N_BATTERY_BUS = 64;
const N_BATTERY_IDEAL = 72;
const N_BATTERY_KNOTS = 80;
const P_BATTERY = 448;
const BATTERY_STRIDE = 48;
const B_CONDUCTANCE = 0;
const B_INV_CHARGE = 1;
const B_RATE_1 = 2;
const B_INV_C1 = 3;
const B_RATE_2 = 4;
const B_INV_C2 = 5;
const B_CUTOFF = 6;
const B_SOC = 12;
const B_OCV = 24;
const B_SLOPE = 36;
const W_VOLTAGE = 132;
const W_LOAD = 140;
const W_SOURCE = 156;
const W_CONDUCTANCE = 164;
const W_LIMIT = 172;
const W_BATTERY_CURRENT = 180;

/** Source voltage, conductance (0 when disconnected) and largest discharge current of each battery. */
export function sourcesInto(w: Float64Array, x: Float64Array, u: Float64Array, p: Float64Array, n: Int32Array): void {
  const batteries = n[N_BATTERIES];
  for (let i = 0; i < batteries; i += 1) {
    const b = P_BATTERY + i * BATTERY_STRIDE;
    const charge = x[n[N_X_SOC] + i];
    const soc = Math.max(0, Math.min(1, charge));
    const last = n[N_BATTERY_KNOTS + i] - 2;
    let k = 0;
    while (k < last && soc > p[b + B_SOC + k + 1]) k += 1;
    const ocv = p[b + B_OCV + k] + (soc - p[b + B_SOC + k]) * p[b + B_SLOPE + k];
    const polarised = n[N_TWO_RC] === 0 ? x[n[N_X_V1] + i] : x[n[N_X_V1] + i] + x[n[N_X_V2] + i];
    const source = ocv - polarised;
    const connected = u[n[N_U_CONNECTED] + i] !== 0;
    const conductance = connected ? p[b + B_CONDUCTANCE] : 0;
    w[W_SOURCE + i] = source;
    w[W_CONDUCTANCE + i] = conductance;
    w[W_LIMIT + i] = charge > 0 ? Math.max(0, (source - p[b + B_CUTOFF]) * conductance) : 0;
  }
}

/** Current of each battery at the solved bus voltages. */
export function batteryCurrentsInto(w: Float64Array, n: Int32Array): void {
  const batteries = n[N_BATTERIES];
  for (let i = 0; i < batteries; i += 1) {
    const bus = n[N_BATTERY_BUS + i];
    if (n[N_BATTERY_IDEAL + i] !== 0) {
      w[W_BATTERY_CURRENT + i] = w[W_CONDUCTANCE + i] > 0 ? w[W_LOAD + bus] : 0;
    } else {
      const current = (w[W_SOURCE + i] - w[W_VOLTAGE + bus]) * w[W_CONDUCTANCE + i];
      w[W_BATTERY_CURRENT + i] = Math.min(current, w[W_LIMIT + i]);
    }
  }
}

/** Charge and polarisation; a full pack takes no more charge, an empty one gives none. */
export function batteriesInto(
  dx: Float64Array,
  x: Float64Array,
  w: Float64Array,
  p: Float64Array,
  n: Int32Array,
): void {
  const batteries = n[N_BATTERIES];
  for (let i = 0; i < batteries; i += 1) {
    const b = P_BATTERY + i * BATTERY_STRIDE;
    const current = w[W_BATTERY_CURRENT + i];
    const soc = x[n[N_X_SOC] + i];
    const held = (soc <= 0 && current > 0) || (soc >= 1 && current < 0);
    dx[n[N_X_SOC] + i] = held ? 0 : -current * p[b + B_INV_CHARGE];
    dx[n[N_X_V1] + i] = current * p[b + B_INV_C1] - x[n[N_X_V1] + i] * p[b + B_RATE_1];
    if (n[N_TWO_RC] !== 0) {
      dx[n[N_X_V2] + i] = current * p[b + B_INV_C2] - x[n[N_X_V2] + i] * p[b + B_RATE_2];
    }
  }
}
