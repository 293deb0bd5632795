/**
 * Batteries as voltage sources, and the derivatives of their charge.
 *
 * A Thévenin pack is an open-circuit voltage that depends on the charge, a series resistance and one or two RC pairs:
 *   V0 = OCV(soc) − V1 − V2,  I = (V0 − V)/R0,  dsoc = −I/Q,  dV1 = I/C1 − V1/(R1·C1) (V2 like V1).
 * Currents are positive when discharging and may be negative, because packs in parallel share the current by
 * Kirchhoff's law. The under-voltage protection limits the discharge current so that the terminals do not fall below
 * the cut-off voltage, I ≤ (V0 − Vcut)/R0, and an empty pack delivers nothing. So the voltage of an overloaded bus
 * collapses.
 */
import type { Input, Scratch, State, VehicleConstants } from "../../memory.ts";

/** Computes the source voltage, conductance (0 when disconnected) and largest discharge current of each battery. */
export function sourcesInto(w: Scratch, x: State, u: Input, vehicle: VehicleConstants): void {
  const hasSecondRc = vehicle.hasSecondRc !== 0;
  for (let i = 0; i < vehicle.batteryCount; i += 1) {
    const battery = vehicle.batteries[i];
    const charge = x.batterySoc[i];
    const soc = charge < 0 ? 0 : charge > 1 ? 1 : charge;
    const last = battery.knotCount - 2;
    let k = 0;
    while (k < last && soc > battery.curveSoc[k + 1]) k += 1;
    const openCircuit = battery.curveVoltage[k] + (soc - battery.curveSoc[k]) * battery.curveSlope[k];
    const source = hasSecondRc ? openCircuit - (x.batteryV1[i] + x.batteryV2[i]) : openCircuit - x.batteryV1[i];
    const conductance = u.batteryConnected[i] !== 0 ? battery.conductance : 0;
    const limit = (source - battery.cutoff) * conductance;
    w.sourceVoltage[i] = source;
    w.conductance[i] = conductance;
    w.currentLimit[i] = charge > 0 && limit > 0 ? limit : 0;
  }
}

/**
 * Computes the currents at the solved bus voltages, and the derivatives of charge and polarisation. The charge of a
 * full pack does not rise, and that of an empty one does not fall.
 */
export function batteriesInto(dx: State, x: State, w: Scratch, vehicle: VehicleConstants): void {
  const hasSecondRc = vehicle.hasSecondRc !== 0;
  for (let i = 0; i < vehicle.batteryCount; i += 1) {
    const battery = vehicle.batteries[i];
    const conductance = w.conductance[i];
    const unlimited = (w.sourceVoltage[i] - w.busVoltage[battery.bus]) * conductance;
    const limit = w.currentLimit[i];
    let current = unlimited > limit ? limit : unlimited;
    if (battery.isIdeal !== 0) current = conductance > 0 ? w.busLoad[battery.bus] : 0;
    const soc = x.batterySoc[i];
    const isHeld = (soc <= 0 && current > 0) || (soc >= 1 && current < 0);
    w.batteryCurrent[i] = current;
    dx.batterySoc[i] = isHeld ? 0 : -current * battery.inverseCharge;
    dx.batteryV1[i] = current * battery.inverseC1 - x.batteryV1[i] * battery.rate1;
    if (hasSecondRc) dx.batteryV2[i] = current * battery.inverseC2 - x.batteryV2[i] * battery.rate2;
  }
}
