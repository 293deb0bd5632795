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
  const socAt = n[N_X_SOC];
  const v1At = n[N_X_V1];
  const v2At = n[N_X_V2];
  const twoRc = n[N_TWO_RC] !== 0;
  const connectedAt = n[N_U_CONNECTED];
  let b = P_BATTERY;
  for (let i = 0; i < batteries; i += 1) {
    const charge = x[socAt + i];
    const soc = charge < 0 ? 0 : charge > 1 ? 1 : charge;
    const last = n[N_BATTERY_KNOTS + i] - 2;
    let k = b;
    while (k - b < last && soc > p[k + B_SOC + 1]) k += 1;
    const ocv = p[k + B_OCV] + (soc - p[k + B_SOC]) * p[k + B_SLOPE];
    const source = twoRc ? ocv - (x[v1At + i] + x[v2At + i]) : ocv - x[v1At + i];
    const conductance = u[connectedAt + i] !== 0 ? p[b + B_CONDUCTANCE] : 0;
    const most = (source - p[b + B_CUTOFF]) * conductance;
    w[W_SOURCE + i] = source;
    w[W_CONDUCTANCE + i] = conductance;
    w[W_LIMIT + i] = charge > 0 && most > 0 ? most : 0;
    b += BATTERY_STRIDE;
  }
}

/** Currents at the solved bus voltages, charge and polarisation; a full pack takes no more charge, an empty one gives none. */
export function batteriesInto(
  dx: Float64Array,
  x: Float64Array,
  w: Float64Array,
  p: Float64Array,
  n: Int32Array,
): void {
  const batteries = n[N_BATTERIES];
  const socAt = n[N_X_SOC];
  const v1At = n[N_X_V1];
  const v2At = n[N_X_V2];
  const twoRc = n[N_TWO_RC] !== 0;
  let b = P_BATTERY;
  for (let i = 0; i < batteries; i += 1) {
    const bus = n[N_BATTERY_BUS + i];
    const conductance = w[W_CONDUCTANCE + i];
    const free = (w[W_SOURCE + i] - w[W_VOLTAGE + bus]) * conductance;
    const most = w[W_LIMIT + i];
    let current = free > most ? most : free;
    if (n[N_BATTERY_IDEAL + i] !== 0) current = conductance > 0 ? w[W_LOAD + bus] : 0;
    const soc = x[socAt + i];
    const held = (soc <= 0 && current > 0) || (soc >= 1 && current < 0);
    w[W_BATTERY_CURRENT + i] = current;
    dx[socAt + i] = held ? 0 : -current * p[b + B_INV_CHARGE];
    dx[v1At + i] = current * p[b + B_INV_C1] - x[v1At + i] * p[b + B_RATE_1];
    if (twoRc) dx[v2At + i] = current * p[b + B_INV_C2] - x[v2At + i] * p[b + B_RATE_2];
    b += BATTERY_STRIDE;
  }
}
