/**
 * The voltage of each electrical bus, exactly.
 *
 * Sources give S(V) = Σ min(limit_i, (V0_i − V)/R_i); loads take D(V) = Σ d·clamp((d·V − Ke·Ω)/R, 0, Imax)/η + P/V. Both
 * are piecewise simple in V, with break points where a motor starts to draw (KeΩ/d), saturates ((KeΩ + R·Imax)/d) or a
 * source reaches its limit. On a segment S − D = B − A·V − P/V, whose root is closed: V = (B + √(B² − 4AP))/(2A), the
 * stable one of the two. So: try the segment in which every motor draws and no source is limited (nearly always it), and
 * accept it where it is consistent and provably the highest root; otherwise walk the segments down from the highest
 * source voltage and take the first root. No iteration, no tolerance, the same number of operations for the same case.
 *
 * Without constant power S − D falls strictly and crosses zero once. With it there may be no root (for one source
 * P > V0²/4R): the load is shed if the bus has a brown-out voltage, else the status tells the cold path to raise.
 */
const N_BATTERIES = 1;
const N_BUSES = 2;
const N_MOTORS = 6;
const N_X_SPEED = 13;
const N_ROTOR_BUS = 44;
const N_BATTERY_BUS = 64;
const N_BATTERY_IDEAL = 72;
const P_ROTOR = 64;
const ROTOR_STRIDE = 32;
const R_KE = 12;
const R_INV_OHM = 13;
const R_MAX_CURRENT = 17;
const R_INV_ESC = 18;
const R_DRAW = 30;
const R_MAX_DROP = 31;
const P_BUS = 832;
const BUS_STRIDE = 4;
const U_POWER = 0;
const U_BROWN_OUT = 1;
const W_DUTY = 36;
const W_BACK_EMF = 84;
const W_VOLTAGE = 132;
const W_SERVED = 148;
const W_SOURCE = 156;
const W_CONDUCTANCE = 164;
const W_LIMIT = 172;
const W_STATUS = 188;

/**
 * Fills the voltage and the served constant power of every bus; status 1 + bus where there is no working point. One long
 * function, because a call in the right-hand side costs as much as a rotor.
 */
export function busVoltagesInto(w: Float64Array, x: Float64Array, p: Float64Array, n: Int32Array): void {
  const buses = n[N_BUSES];
  const only = buses === 1;
  const motors = n[N_MOTORS];
  const batteries = n[N_BATTERIES];
  const speedAt = n[N_X_SPEED];
  w[W_STATUS] = 0;
  for (let bus = 0; bus < buses; bus += 1) {
    const power = p[P_BUS + bus * BUS_STRIDE + U_POWER];
    // Sources: Σ1/R and ΣV0/R.
    let slope = 0;
    let offset = 0;
    let stiff = -1;
    for (let i = 0; i < batteries; i += 1) {
      if (n[N_BATTERY_BUS + i] !== bus) continue;
      const conductance = w[W_CONDUCTANCE + i];
      slope += conductance;
      offset += w[W_SOURCE + i] * conductance;
      if (n[N_BATTERY_IDEAL + i] !== 0 && w[W_LIMIT + i] > 0) stiff = i;
    }
    // Loads as if every motor with a duty drew within its limits.
    let sum = slope;
    for (let i = 0; i < motors; i += 1) {
      if (!only && n[N_ROTOR_BUS + i] !== bus) continue;
      const r = P_ROTOR + i * ROTOR_STRIDE;
      const duty = w[W_DUTY + i];
      const gain = duty * p[r + R_DRAW];
      const backEmf = p[r + R_KE] * x[speedAt + i];
      w[W_BACK_EMF + i] = backEmf;
      sum += gain * duty;
      offset += gain * backEmf;
    }
    w[W_SERVED + bus] = slope === 0 ? 0 : power;
    if (slope === 0 || stiff >= 0) {
      w[W_VOLTAGE + bus] = slope === 0 ? 0 : w[W_SOURCE + stiff];
      continue;
    }
    const inside = offset * offset - 4 * sum * power;
    const voltage = power > 0 ? (offset + Math.sqrt(inside > 0 ? inside : 0)) / (2 * sum) : offset / sum;
    // Consistent, and S − D falling everywhere above: Σ1/R > P/V².
    let accepted =
      inside >= 0 &&
      voltage > 0 &&
      slope * voltage * voltage > power &&
      voltage >= p[P_BUS + bus * BUS_STRIDE + U_BROWN_OUT];
    for (let i = 0; i < motors; i += 1) {
      const duty = w[W_DUTY + i];
      if (duty === 0 || (!only && n[N_ROTOR_BUS + i] !== bus)) continue;
      const drop = duty * voltage - w[W_BACK_EMF + i];
      if (!(drop >= 0 && drop <= p[P_ROTOR + i * ROTOR_STRIDE + R_MAX_DROP])) accepted = false;
    }
    for (let i = 0; i < batteries; i += 1) {
      if (n[N_BATTERY_BUS + i] !== bus) continue;
      if ((w[W_SOURCE + i] - voltage) * w[W_CONDUCTANCE + i] > w[W_LIMIT + i]) accepted = false;
    }
    if (accepted) w[W_VOLTAGE + bus] = voltage;
    else searchBusInto(w, p, n, bus);
  }
}

/** The general case: with the constant power if there is a root at or above the brown-out voltage, else without it. */
export function searchBusInto(w: Float64Array, p: Float64Array, n: Int32Array, bus: number): void {
  const power = p[P_BUS + bus * BUS_STRIDE + U_POWER];
  const brownOut = p[P_BUS + bus * BUS_STRIDE + U_BROWN_OUT];
  let voltage = highestRoot(w, p, n, bus, power);
  if (power > 0 && (voltage < 0 || voltage < brownOut)) {
    if (brownOut === 0) {
      w[W_STATUS] = bus + 1;
    } else {
      w[W_SERVED + bus] = 0;
      voltage = highestRoot(w, p, n, bus, 0);
    }
  }
  // Without constant power only a rotor that turns backwards, in a trial step, leaves no root: the bus is then dead.
  if (voltage < 0) voltage = 0;
  if (!(voltage < Infinity)) {
    w[W_STATUS] = bus + 1;
    voltage = 0;
  }
  w[W_VOLTAGE + bus] = voltage;
}

/** The highest V with S(V) = D(V), walking the segments downwards; −1 if there is none. */
export function highestRoot(w: Float64Array, p: Float64Array, n: Int32Array, bus: number, power: number): number {
  let high = 0;
  for (let i = 0; i < n[N_BATTERIES]; i += 1) {
    if (n[N_BATTERY_BUS + i] === bus && w[W_CONDUCTANCE + i] > 0) high = Math.max(high, w[W_SOURCE + i]);
  }
  // At the highest source voltage nothing can be delivered, so S − D is not positive there; where it is zero that is it.
  const atTop = balance(w, p, n, bus, power, high);
  if (!(atTop < 0)) return atTop >= 0 ? high : NaN;
  while (high > 0) {
    const low = nextBreakBelow(w, p, n, bus, high);
    const middle = low + (high - low) / 2;
    // Coefficients of the segment from the regime of each part at its middle.
    let slope = 0;
    let offset = 0;
    for (let i = 0; i < n[N_BATTERIES]; i += 1) {
      if (n[N_BATTERY_BUS + i] !== bus) continue;
      const conductance = w[W_CONDUCTANCE + i];
      if ((w[W_SOURCE + i] - middle) * conductance >= w[W_LIMIT + i]) {
        offset += w[W_LIMIT + i];
      } else {
        slope += conductance;
        offset += conductance * w[W_SOURCE + i];
      }
    }
    for (let i = 0; i < n[N_MOTORS]; i += 1) {
      if (n[N_ROTOR_BUS + i] !== bus || w[W_DUTY + i] === 0) continue;
      const r = P_ROTOR + i * ROTOR_STRIDE;
      const duty = w[W_DUTY + i];
      const backEmf = w[W_BACK_EMF + i];
      const drop = duty * middle - backEmf;
      const gain = duty * p[r + R_DRAW];
      if (drop >= p[r + R_MAX_DROP]) {
        offset -= duty * p[r + R_MAX_CURRENT] * p[r + R_INV_ESC];
      } else if (drop > 0) {
        slope += gain * duty;
        offset += gain * backEmf;
      }
    }
    const inside = offset * offset - 4 * slope * power;
    const root = power > 0 ? (offset + Math.sqrt(Math.max(0, inside))) / (2 * slope) : offset / slope;
    // The sign at the lower border settles it, so that rounding of the root cannot push it out of its segment. A root
    // inside counts too: with constant power a pair of them may lie between two negative ends, and where a dead source
    // meets a motor about to draw, the sign at the border is rounding alone.
    const inRange = slope > 0 && inside >= 0 && root >= low - 1e-15 * high && root < high;
    if (inRange || balance(w, p, n, bus, power, low) >= 0) return slope > 0 ? Math.max(low, Math.min(high, root)) : low;
    high = low;
  }
  return -1;
}

/** S(V) − D(V). */
export function balance(
  w: Float64Array,
  p: Float64Array,
  n: Int32Array,
  bus: number,
  power: number,
  voltage: number,
): number {
  let sum = power > 0 ? -power / voltage : 0;
  for (let i = 0; i < n[N_BATTERIES]; i += 1) {
    if (n[N_BATTERY_BUS + i] !== bus) continue;
    sum += Math.min(w[W_LIMIT + i], (w[W_SOURCE + i] - voltage) * w[W_CONDUCTANCE + i]);
  }
  for (let i = 0; i < n[N_MOTORS]; i += 1) {
    if (n[N_ROTOR_BUS + i] !== bus) continue;
    const r = P_ROTOR + i * ROTOR_STRIDE;
    const duty = w[W_DUTY + i];
    const drop = duty * voltage - w[W_BACK_EMF + i];
    sum -= duty * Math.max(0, Math.min(p[r + R_MAX_CURRENT], drop * p[r + R_INV_OHM])) * p[r + R_INV_ESC];
  }
  return sum;
}

/** The highest break point strictly below `voltage`, at least 0. */
function nextBreakBelow(w: Float64Array, p: Float64Array, n: Int32Array, bus: number, voltage: number): number {
  let below = 0;
  for (let i = 0; i < n[N_BATTERIES]; i += 1) {
    if (n[N_BATTERY_BUS + i] !== bus || w[W_CONDUCTANCE + i] === 0) continue;
    const limited = w[W_SOURCE + i] - w[W_LIMIT + i] / w[W_CONDUCTANCE + i];
    if (limited < voltage) below = Math.max(below, limited);
  }
  for (let i = 0; i < n[N_MOTORS]; i += 1) {
    if (n[N_ROTOR_BUS + i] !== bus || w[W_DUTY + i] === 0) continue;
    const r = P_ROTOR + i * ROTOR_STRIDE;
    const starts = w[W_BACK_EMF + i] / w[W_DUTY + i];
    const saturates = (w[W_BACK_EMF + i] + p[r + R_MAX_DROP]) / w[W_DUTY + i];
    if (starts < voltage) below = Math.max(below, starts);
    if (saturates < voltage) below = Math.max(below, saturates);
  }
  return below;
}
