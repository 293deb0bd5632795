/** An autopilot in twenty lines: holds height and a level attitude with proportional control. */
import { controllerSource, type Controller, fly } from "escapement";

const SIGNS = [
  [-1, 1, 1],
  [1, -1, 1],
  [1, 1, -1],
  [-1, -1, -1],
] as const; // roll, pitch, yaw of each rotor

const level: Controller = {
  memory: new Float64Array(1), // integral of the height error: a checkpoint keeps it
  update(_clock, bus) {
    const { estPosNed: pos, estVelNed: vel, estQBodyToNed: q, estRateBody: rate, motorCommand } = bus;
    const error = pos[2]! + 5; // 5 m up; NED: z points down
    this.memory![0] = Math.max(-0.3, Math.min(0.3, this.memory![0]! + 0.0001 * error));
    const lift = 0.55 + 0.08 * error + 0.2 * vel[2]! + this.memory![0]!;
    const turn = [0, 1, 2].map((i) => -0.5 * 2 * q[0]! * q[i + 1]! * (i < 2 ? 1 : 0.3) - 0.08 * rate[i]!);
    SIGNS.forEach((sign, rotor) => {
      const duty = lift + sign[0] * turn[0]! + sign[1] * turn[1]! + sign[2] * turn[2]!;
      motorCommand[rotor] = Math.max(0, Math.min(1, duty));
    });
    bus.armed[0] = 1;
  },
};

export const flight = await fly(
  { vehicle: "iris", wind: "none", timeline: { endS: 20 } },
  { autopilot: (context) => controllerSource(level, context) },
);
const altitude = -flight.signal("posNed").at("20 s")[2]!;
console.log(
  `${flight.outcome}; ${altitude.toFixed(2)} m high after 20 s, tilt at most ${flight.extremes.tiltMaxDeg.toFixed(1)}°`,
);
