/**
 * Control effectiveness and its inverse: the effect of each rotor on the body, and the rotor commands that a demand
 * needs.
 *
 * Rows are roll, pitch, yaw, thrust x, y, z; columns are rotors. The mix is the Moore–Penrose inverse, scaled so that
 * full demand on an axis is about full deflection. This is PX4's normalisation, which its rate gains assume. The mix is
 * computed once, at configuration.
 */
import { TINY } from "./constants.ts";
import { autopilotErrors } from "../errors.ts";
import type { Parameters } from "./parameters.ts";

export const AXES = 6;
export const ROLL = 0;
export const PITCH = 1;
export const YAW = 2;
export const THRUST_Z = 5;

/** A row whose entries are all at most this large in magnitude has no authority and is set to zero. */
const MIN_ROW_AUTHORITY = 0.05;
/** Entries of the normalised mix smaller than this become zero. */
const MIN_MIX_ENTRY = 1e-3;

export interface Mixer {
  readonly rotors: number;
  /** rotors × AXES, normalised: motor = Σ mix·demand. */
  readonly mix: Float64Array;
  /** AXES × rotors, normalised: allocated = Σ effect·motor. */
  readonly effect: Float64Array;
  /** Factor by which each column of the mix was divided. */
  readonly scale: Float64Array;
}

export function makeMixer(p: Parameters): Mixer {
  const rotors = p.get("CA_ROTOR_COUNT");
  const effect = effectiveness(p, rotors);
  for (let axis = 0; axis < AXES; axis += 1) {
    const row = effect.subarray(axis * rotors, (axis + 1) * rotors);
    if (row.every((entry) => Math.abs(entry) <= MIN_ROW_AUTHORITY)) row.fill(0);
  }
  if (effect.subarray(THRUST_Z * rotors).every((entry) => entry === 0)) {
    throw autopilotErrors.badGeometry({
      what: "no rotor pushes along the body's z axis",
      fix: "give each rotor its thrust direction; (0, 0, −1) is up",
    });
  }
  const mix = pseudoInverse(effect, rotors);
  const scale = scales(mix, rotors);
  for (let i = 0; i < rotors; i += 1) {
    for (let axis = 0; axis < AXES; axis += 1) {
      const at = i * AXES + axis;
      if (scale[axis] > TINY) mix[at] /= scale[axis];
      if (Math.abs(mix[at]) < MIN_MIX_ENTRY) mix[at] = 0;
      effect[axis * rotors + i] *= scale[axis];
    }
  }
  return { rotors, mix, effect, scale };
}

/** Returns the thrust ct·a and the moment ct·(p × a) − ct·km·a of each rotor at full command. */
function effectiveness(p: Parameters, rotors: number): Float64Array {
  const effect = new Float64Array(AXES * rotors);
  for (let i = 0; i < rotors; i += 1) {
    const px = p.get(`CA_ROTOR${i}_PX`);
    const py = p.get(`CA_ROTOR${i}_PY`);
    const pz = p.get(`CA_ROTOR${i}_PZ`);
    let ax = p.get(`CA_ROTOR${i}_AX`);
    let ay = p.get(`CA_ROTOR${i}_AY`);
    let az = p.get(`CA_ROTOR${i}_AZ`);
    const length = Math.sqrt(ax * ax + ay * ay + az * az);
    if (!(length > TINY)) {
      throw autopilotErrors.badGeometry({
        what: `rotor ${i} has no thrust direction`,
        where: { key: `params.CA_ROTOR${i}_AZ` },
        fix: "give a direction; (0, 0, −1) is up",
      });
    }
    ax /= length;
    ay /= length;
    az /= length;
    const ct = p.get(`CA_ROTOR${i}_CT`);
    const km = p.get(`CA_ROTOR${i}_KM`);
    const column = [
      ct * (py * az - pz * ay) - ct * km * ax,
      ct * (pz * ax - px * az) - ct * km * ay,
      ct * (px * ay - py * ax) - ct * km * az,
      ct * ax,
      ct * ay,
      ct * az,
    ];
    column.forEach((entry, axis) => (effect[axis * rotors + i] = entry));
  }
  return effect;
}

/**
 * Returns E⁺ = Eᵀ·(E·Eᵀ)⁺. The symmetric 6 × 6 matrix is inverted through its eigenvectors; those with eigenvalue zero
 * are omitted.
 */
function pseudoInverse(e: Float64Array, rotors: number): Float64Array {
  const s = new Float64Array(AXES * AXES);
  for (let a = 0; a < AXES; a += 1) {
    for (let b = 0; b < AXES; b += 1) {
      for (let i = 0; i < rotors; i += 1) s[a * AXES + b] += e[a * rotors + i] * e[b * rotors + i];
    }
  }
  const vectors = eigenvectors(s);
  let largest = 0;
  for (let a = 0; a < AXES; a += 1) largest = Math.max(largest, s[a * AXES + a]);
  const inverse = new Float64Array(AXES * AXES);
  for (let k = 0; k < AXES; k += 1) {
    const value = s[k * AXES + k];
    if (!(value > 1e-10 * largest)) continue;
    for (let a = 0; a < AXES; a += 1) {
      for (let b = 0; b < AXES; b += 1) {
        inverse[a * AXES + b] += (vectors[a * AXES + k] * vectors[b * AXES + k]) / value;
      }
    }
  }
  const mix = new Float64Array(rotors * AXES);
  for (let i = 0; i < rotors; i += 1) {
    for (let a = 0; a < AXES; a += 1) {
      for (let b = 0; b < AXES; b += 1) mix[i * AXES + a] += e[b * rotors + i] * inverse[b * AXES + a];
    }
  }
  return mix;
}

/** Reduces s to the diagonal matrix of its eigenvalues by Jacobi's method; returns the eigenvectors as columns. */
function eigenvectors(s: Float64Array): Float64Array {
  const n = AXES;
  const v = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) v[i * n + i] = 1;
  for (let sweep = 0; sweep < 60; sweep += 1) {
    let rest = 0;
    for (let p = 0; p < n; p += 1) for (let q = p + 1; q < n; q += 1) rest += Math.abs(s[p * n + q]);
    if (rest === 0) break;
    for (let p = 0; p < n; p += 1) {
      for (let q = p + 1; q < n; q += 1) rotate(s, v, p, q);
    }
  }
  return v;
}

/** Applies one Jacobi rotation, which makes s[p, q] zero. */
function rotate(s: Float64Array, v: Float64Array, p: number, q: number): void {
  const n = AXES;
  const off = s[p * n + q];
  if (off === 0) return;
  const theta = (s[q * n + q] - s[p * n + p]) / (2 * off);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const sn = t * c;
  s[p * n + p] -= t * off;
  s[q * n + q] += t * off;
  s[p * n + q] = s[q * n + p] = 0;
  for (let i = 0; i < n; i += 1) {
    if (i !== p && i !== q) {
      const ip = s[i * n + p];
      const iq = s[i * n + q];
      s[i * n + p] = s[p * n + i] = c * ip - sn * iq;
      s[i * n + q] = s[q * n + i] = sn * ip + c * iq;
    }
    const vp = v[i * n + p];
    const vq = v[i * n + q];
    v[i * n + p] = c * vp - sn * vq;
    v[i * n + q] = sn * vp + c * vq;
  }
}

/**
 * Returns PX4's scales: one for roll and pitch, one for yaw from its largest entry, and one per thrust axis from the
 * mean magnitude of its entries.
 */
function scales(mix: Float64Array, rotors: number): Float64Array {
  const scale = new Float64Array(AXES).fill(1);
  const tilt = [ROLL, PITCH].map((axis) => {
    let squares = 0;
    let used = 0;
    for (let i = 0; i < rotors; i += 1) {
      const entry = mix[i * AXES + axis];
      squares += entry * entry;
      if (Math.abs(entry) > MIN_MIX_ENTRY) used += 1;
    }
    return used > 0 ? Math.sqrt(squares / (used / 2)) : 1;
  });
  scale[ROLL] = scale[PITCH] = Math.max(tilt[0]!, tilt[1]!);
  scale[YAW] = mix[YAW];
  for (let i = 1; i < rotors; i += 1) scale[YAW] = Math.max(scale[YAW], mix[i * AXES + YAW]);
  for (let axis = THRUST_Z; axis > YAW; axis -= 1) {
    let sum = 0;
    let used = 0;
    for (let i = 0; i < rotors; i += 1) {
      const entry = Math.abs(mix[i * AXES + axis]);
      sum += entry;
      if (entry > TINY) used += 1;
    }
    scale[axis] = used > 0 ? sum / used : scale[THRUST_Z];
  }
  return scale;
}
