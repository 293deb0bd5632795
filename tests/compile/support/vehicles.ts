/** Vehicles with unusual sizes and equipment, for flights with and without compiled code. */
import type { PlainObject } from "@escapement/core";
import { builtInVehicles } from "../../../packages/core/src/describe/vehicles/index.ts";

/** Returns `count` rotors evenly spaced around the centre, with alternating directions. */
function ring(count: number, more: (i: number) => PlainObject = () => ({})): PlainObject[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.5)) / count;
    const positionM = [0.3 * Math.cos(angle), 0.3 * Math.sin(angle), -0.05];
    return { positionM, direction: i % 2 === 0 ? 1 : -1, channel: i + 1, ...more(i) };
  });
}

const [pack] = builtInVehicles["x500"]!["batteries"] as readonly [PlainObject];

export const oddVehicles: Readonly<Record<string, PlainObject>> = {
  "three rotors": { extends: "x500", rotors: ring(3) },
  "twelve rotors": { extends: "hexa", massKg: 6, rotors: ring(12) },
  "twelve linear rotors": { extends: "iris-linear", massKg: 4, rotors: ring(12) },
  "two batteries on two buses": {
    extends: "x500",
    rotors: ring(4, (i) => ({ bus: i < 2 ? "left" : "right" })),
    batteries: [
      { ...pack, bus: "left" },
      { ...pack, bus: "right", soc: 0.6, r2Ohm: 0.01, c2F: 20_000 },
    ],
    buses: [
      { name: "left", avionicsW: 5 },
      { name: "right", avionicsW: 0 },
    ],
  },
  "an ideal source": { extends: "iris", batteries: [{ ...pack, model: "ideal" }] },
  "second-order actuators": {
    extends: "iris",
    motorActuator: { kind: "secondOrder", naturalRadS: 60, damping: 0.8, rateLimitPerS: 20 },
  },
  servos: {
    extends: "iris-reference",
    motorActuator: { kind: "firstOrder", tauS: 0.03 },
    servos: [{ channel: 1 }, { channel: 2 }],
    servoActuator: { kind: "secondOrder", naturalRadS: 40 },
  },
  "tilted axes and a full inertia": {
    extends: "x500",
    inertiaKgM2: [0.0217, 0.001, -0.002, 0.001, 0.0217, 0.0005, -0.002, 0.0005, 0.04],
    rotors: ring(4, (i) => ({ axis: [0.1 * (i % 2), -0.05, 1] })),
  },
  "no drag, and contact at the feet only": {
    extends: "x500",
    drag: { areaM2: [0, 0, 0], angularNmSPerRad: [0, 0, 0] },
    contact: { rotorTips: false },
  },
};
