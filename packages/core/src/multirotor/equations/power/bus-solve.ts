/**
 * Solves the voltage of each electrical bus exactly.
 *
 * Sources supply S(V) = Σ min(limit_i, (V0_i − V)/R_i); loads draw D(V) = Σ d·clamp((d·V − Ke·Ω)/R, 0, Imax)/η + P/V.
 * The sum runs over the motors with duty d and controller efficiency η; P is the constant power. Both functions are
 * smooth in V between break points: the voltages at which a motor starts to draw (KeΩ/d) or saturates
 * ((KeΩ + R·Imax)/d), or a source reaches its limit. On a segment S − D = B − A·V − P/V, with the stable root
 * V = (B + √(B² − 4AP))/(2A). First try the segment in which every motor draws and no limit is reached, because it is
 * nearly always the right one. Accept its root if it lies in this segment and is provably the highest root. Otherwise
 * go through the segments downwards from the highest source voltage and take the first root. No step iterates until a
 * tolerance is met.
 *
 * Without constant power, S − D decreases strictly and has one root. With constant power there may be no root (for one
 * source, if P > V0²/4R). Then the load is shed if the bus has a brown-out voltage; otherwise `failedBus` names the
 * bus, and the caller throws.
 */
import type { Scratch, State, VehicleConstants } from "../../memory.ts";

/**
 * Computes the voltage and the supplied constant power of every bus. `failedBus` becomes 1 + the index of a bus
 * without a working point, or 0. It is one long function, because a call in the right-hand side costs as much as a
 * rotor.
 */
export function busVoltagesInto(w: Scratch, x: State, vehicle: VehicleConstants): void {
  const buses = vehicle.busCount;
  const isOnly = buses === 1;
  const motors = vehicle.motorCount;
  const batteries = vehicle.batteryCount;
  w.failedBus[0] = 0;
  for (let bus = 0; bus < buses; bus += 1) {
    const power = vehicle.buses[bus].power;
    // Sources: Σ1/R and ΣV0/R.
    let slope = 0;
    let offset = 0;
    let ideal = -1;
    for (let i = 0; i < batteries; i += 1) {
      if (vehicle.batteries[i].bus !== bus) continue;
      const conductance = w.conductance[i];
      slope += conductance;
      offset += w.sourceVoltage[i] * conductance;
      if (vehicle.batteries[i].isIdeal !== 0 && w.currentLimit[i] > 0) ideal = i;
    }
    // Add the loads, as if every motor with a duty drew current within its limits.
    let sum = slope;
    for (let i = 0; i < motors; i += 1) {
      const rotor = vehicle.rotors[i];
      if (!isOnly && rotor.bus !== bus) continue;
      const duty = w.duty[i];
      const gain = duty * rotor.draw;
      const backEmf = rotor.backEmfConstant * x.rotorSpeed[i];
      w.backEmf[i] = backEmf;
      sum += gain * duty;
      offset += gain * backEmf;
    }
    w.servedPower[bus] = slope === 0 ? 0 : power;
    if (slope === 0 || ideal >= 0) {
      w.busVoltage[bus] = slope === 0 ? 0 : w.sourceVoltage[ideal];
      continue;
    }
    const discriminant = offset * offset - 4 * sum * power;
    const voltage = power > 0 ? (offset + Math.sqrt(discriminant > 0 ? discriminant : 0)) / (2 * sum) : offset / sum;
    // The root must lie in the assumed segment, and S − D must decrease everywhere above it: Σ1/R > P/V².
    let accepted =
      discriminant >= 0 && voltage > 0 && slope * voltage * voltage > power && voltage >= vehicle.buses[bus].brownOut;
    for (let i = 0; i < motors; i += 1) {
      const duty = w.duty[i];
      if (duty === 0 || (!isOnly && vehicle.rotors[i].bus !== bus)) continue;
      const drop = duty * voltage - w.backEmf[i];
      if (!(drop >= 0 && drop <= vehicle.rotors[i].maxDrop)) accepted = false;
    }
    for (let i = 0; i < batteries; i += 1) {
      if (vehicle.batteries[i].bus !== bus) continue;
      if ((w.sourceVoltage[i] - voltage) * w.conductance[i] > w.currentLimit[i]) accepted = false;
    }
    if (accepted) w.busVoltage[bus] = voltage;
    else searchBusInto(w, vehicle, bus);
  }
}

/**
 * Solves the general case, with the constant power if there is a root at or above the brown-out voltage, else without.
 */
export function searchBusInto(w: Scratch, vehicle: VehicleConstants, bus: number): void {
  const power = vehicle.buses[bus].power;
  const brownOut = vehicle.buses[bus].brownOut;
  let voltage = highestRoot(w, vehicle, bus, power);
  if (power > 0 && (voltage < 0 || voltage < brownOut)) {
    if (brownOut === 0) {
      w.failedBus[0] = bus + 1;
    } else {
      w.servedPower[bus] = 0;
      voltage = highestRoot(w, vehicle, bus, 0);
    }
  }
  // Without constant power, a root is missing only if a rotor turns backwards in a trial step. The bus then has 0 V.
  if (voltage < 0) voltage = 0;
  if (!(voltage < Infinity)) {
    w.failedBus[0] = bus + 1;
    voltage = 0;
  }
  w.busVoltage[bus] = voltage;
}

/** Returns the highest V with S(V) = D(V), searching the segments downwards; −1 if there is none. */
export function highestRoot(w: Scratch, vehicle: VehicleConstants, bus: number, power: number): number {
  let high = 0;
  for (let i = 0; i < vehicle.batteryCount; i += 1) {
    if (vehicle.batteries[i].bus === bus && w.conductance[i] > 0) high = Math.max(high, w.sourceVoltage[i]);
  }
  // At the highest source voltage the sources deliver nothing, so S − D is not positive. If it is zero, this voltage is
  // the root.
  const atTop = balance(w, vehicle, bus, power, high);
  if (!(atTop < 0)) return atTop >= 0 ? high : NaN;
  while (high > 0) {
    const low = nextBreakBelow(w, vehicle, bus, high);
    const middle = low + (high - low) / 2;
    // The regimes of sources and motors at the middle of the segment determine its coefficients.
    let slope = 0;
    let offset = 0;
    for (let i = 0; i < vehicle.batteryCount; i += 1) {
      if (vehicle.batteries[i].bus !== bus) continue;
      const conductance = w.conductance[i];
      if ((w.sourceVoltage[i] - middle) * conductance >= w.currentLimit[i]) {
        offset += w.currentLimit[i];
      } else {
        slope += conductance;
        offset += conductance * w.sourceVoltage[i];
      }
    }
    for (let i = 0; i < vehicle.motorCount; i += 1) {
      const rotor = vehicle.rotors[i];
      if (rotor.bus !== bus || w.duty[i] === 0) continue;
      const duty = w.duty[i];
      const backEmf = w.backEmf[i];
      const drop = duty * middle - backEmf;
      const gain = duty * rotor.draw;
      if (drop >= rotor.maxDrop) {
        offset -= duty * rotor.maxCurrent * rotor.inverseEfficiency;
      } else if (drop > 0) {
        slope += gain * duty;
        offset += gain * backEmf;
      }
    }
    const discriminant = offset * offset - 4 * slope * power;
    const root = power > 0 ? (offset + Math.sqrt(Math.max(0, discriminant))) / (2 * slope) : offset / slope;
    // Use the sign at the lower border, so that rounding cannot move the root out of its segment. Accept a root inside
    // too, for two reasons. With constant power, a pair of roots may lie between two negative ends. If a motor is about
    // to draw from a source that delivers nothing, the sign at the border is only a rounding error.
    const inRange = slope > 0 && discriminant >= 0 && root >= low - 1e-15 * high && root < high;
    if (inRange || balance(w, vehicle, bus, power, low) >= 0)
      return slope > 0 ? Math.max(low, Math.min(high, root)) : low;
    high = low;
  }
  return -1;
}

/** Returns S(V) − D(V). */
export function balance(w: Scratch, vehicle: VehicleConstants, bus: number, power: number, voltage: number): number {
  let sum = power > 0 ? -power / voltage : 0;
  for (let i = 0; i < vehicle.batteryCount; i += 1) {
    if (vehicle.batteries[i].bus !== bus) continue;
    sum += Math.min(w.currentLimit[i], (w.sourceVoltage[i] - voltage) * w.conductance[i]);
  }
  for (let i = 0; i < vehicle.motorCount; i += 1) {
    const rotor = vehicle.rotors[i];
    if (rotor.bus !== bus) continue;
    const duty = w.duty[i];
    const drop = duty * voltage - w.backEmf[i];
    sum -= duty * Math.max(0, Math.min(rotor.maxCurrent, drop * rotor.inverseResistance)) * rotor.inverseEfficiency;
  }
  return sum;
}

/** Returns the highest break point strictly below `voltage`, but at least 0. */
function nextBreakBelow(w: Scratch, vehicle: VehicleConstants, bus: number, voltage: number): number {
  let below = 0;
  for (let i = 0; i < vehicle.batteryCount; i += 1) {
    if (vehicle.batteries[i].bus !== bus || w.conductance[i] === 0) continue;
    const limited = w.sourceVoltage[i] - w.currentLimit[i] / w.conductance[i];
    if (limited < voltage) below = Math.max(below, limited);
  }
  for (let i = 0; i < vehicle.motorCount; i += 1) {
    const rotor = vehicle.rotors[i];
    if (rotor.bus !== bus || w.duty[i] === 0) continue;
    const starts = w.backEmf[i] / w.duty[i];
    const saturates = (w.backEmf[i] + rotor.maxDrop) / w.duty[i];
    if (starts < voltage) below = Math.max(below, starts);
    if (saturates < voltage) below = Math.max(below, saturates);
  }
  return below;
}
