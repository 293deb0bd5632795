/**
 * The groups of the validation page, by what a user decides on. Every area of rows belongs to exactly one group.
 *
 * The lead of a group explains what its numbers show; `missing` lists what is not modelled or not compared. The page
 * shows every row of a short area. For a long area it shows the row that is closest to its bound, and the appendix
 * shows all.
 */
import { hoverDynamicsTable } from "./hover-dynamics.ts";

export interface ValidationGroup {
  readonly title: string;
  readonly lead: string;
  readonly areas: readonly string[];
  readonly missing: readonly string[];
  /** If set, every area of the group counts as long. */
  readonly isBrief?: true;
  /** Names of plots, in docs/pictures. */
  readonly plots?: readonly string[];
  /** More lines of Markdown after the table. */
  readonly extra?: () => readonly string[];
}

/** Areas with at most this many rows are listed in full. */
export const MAX_LISTED = 14;

export const GROUPS: readonly ValidationGroup[] = [
  {
    title: "Hover",
    lead: "Power, rotor speed, thrust margin and endurance of the iris lie in the range of real vehicles of its class, and the induced velocity is that of momentum theory.",
    areas: ["Iris, physically identified (488 m)", "Momentum theory"],
    missing: ["Rotors do not disturb each other out of ground effect."],
  },
  {
    title: "Climb",
    lead: "Thrust and power coefficients of the iris' propeller, an APC Slow Flyer 10×4.7, over rotor speed and advance ratio J, beside measurements. Its blade was fitted to every second row; the others are held out. Spread: 4 % of the largest thrust, 10 % of the largest power.",
    areas: ["Propeller of the iris"],
    plots: ["validation-propeller-static", "validation-propeller-advance"],
    missing: [
      "13 rows of the database in which the propeller brakes the flow (negative thrust, J > 0.65) are not compared: no multirotor climbs so fast.",
      "The propellers of x500, hexa and octa have the section of this blade with other pitch and chord; no measurement of theirs is compared.",
    ],
  },
  {
    title: "Forward flight",
    lead: "Rotor drag and the airframe's drag decide the tilt at a given speed. The built-in vehicles lie in the range of flights that others measured; the derivatives of hover are under *Wind response*, because a wind is the same flow.",
    areas: ["Tilt in forward flight"],
    plots: ["validation-forward-flight"],
    missing: [
      "Power over speed is not compared with a measured one.",
      "The wake of the front rotors on the rear ones is not modelled.",
    ],
  },
  {
    title: "Descent",
    lead: "Induced velocity through the vortex-ring state beside the curve through measurements, and thrust at constant rotor speed beside propellers in a tunnel. v_h is the induced velocity of hover.",
    areas: ["Vortex ring state", "Thrust in descent"],
    plots: ["validation-descent"],
    missing: [
      "The plots that thrust in descent is compared with were read by eye: ±0.05.",
      "The pitch of a propeller changes its loss (the 10×10 of the same report loses none); `vortexRingLoss` is that of a low pitch.",
    ],
  },
  {
    title: "Near the ground",
    lead: "Thrust of a rotor and of a quadrotor near the ground, of a rotor below a ceiling (`environment.ceilingM`), and a vehicle that stands in wind.",
    areas: ["Ground effect", "Ceiling effect", "Parked in wind"],
    plots: ["validation-ground"],
    missing: [
      "Walls are not modelled, and neither is what the rotors of a vehicle do to each other below a ceiling. A ceiling does not stop a vehicle.",
      "Ground and ceiling effect are compared with formulas, not with measurements.",
    ],
  },
  {
    title: "Wind response",
    lead: "How strongly a wind moves and turns a vehicle in hover, and how strong the turbulence is.",
    areas: ["Wind response in hover", "Wind (Ornstein–Uhlenbeck)"],
    missing: [
      "The wake of front rotors on rear ones, which adds to M_u, is not modelled.",
      "Turbulence by MIL-F-8785C does not include the mean wind that its intensity stands for: add a constant or shear wind. The spectra of its gusts, also of the rotary ones, are tested against the standard.",
    ],
    extra: () => [
      "Stability derivatives at constant rotor speeds and slow modes of every built-in vehicle, by linearisation",
      "(`escapement trim --linearise`), above those that others identified in flight. M_u, L_v and Z_w of the 3DR X8-M are two to",
      "four times ours. It has eight coaxial rotors: the lower ones work in the wakes of the upper ones, and a flow across the vehicle",
      "moves these wakes off them. Rotors that share a wake are not modelled, so the built-in vehicles have only what each rotor does",
      "alone: flapping, hub moment and in-plane force. Compare M_u and L_v of a coaxial vehicle with care.",
      "",
      ...hoverDynamicsTable(),
    ],
  },
  {
    title: "Battery",
    lead: "Voltage under load beside a published discharge curve, bus voltage, and the currents of batteries and motors. The packs of the built-in vehicles were set by this curve.",
    areas: ["Voltage under load", "Corrected, not copied"],
    plots: ["validation-battery"],
    missing: ["Temperature and age of a battery are not modelled."],
  },
  {
    title: "Sensors",
    lead: "The defaults of the raw sensors are real parts: their errors were set from the data sheets, and the rows show that the readings have them. Vibration follows from the imbalance and the speed of each propeller.",
    areas: ["Inertial sensor", "Satellite receiver", "Magnetometer", "Barometer", "Vibration"],
    missing: [
      "The low-pass filters inside inertial sensors are not modelled: every line of vibration is sampled as it is.",
      "Vibration of the motors' bearings and of the airframe's own resonances is not modelled.",
      "Airspeed sensor and range finder are typical ones, not parts with a name.",
      "The embedded autopilot flies on the estimator's state, which does not come from the raw inertial sensors, so it does not feel vibration; PX4 does.",
    ],
  },
  {
    title: "Integration",
    lead: "Rigid-body motion over a turning Earth beside NASA's tools, and actuators beside their exact step response. In case 5 one tool ends 18 ft above the three others, with which ours agrees to 0.011 ft; elsewhere the tools agree better. [verification.md](verification.md) has problems with known solutions for every integrator.",
    areas: [
      "Rigid body over a turning Earth (NASA check cases)",
      "History of a rigid body over a turning Earth (NASA check cases)",
      "Actuators",
    ],
    missing: [],
  },
  {
    title: "Earth",
    lead: "Atmosphere, gravity, geodesy and magnetic field equal their standards to the last printed digit.",
    areas: ["Atmosphere (us76)", "Gravity", "Geodesy", "Magnetic field (WMM2025)"],
    missing: ["The ground is flat, and the local frame does not turn with the Earth."],
  },
  {
    title: "The reference level",
    isBrief: true,
    lead: "The vehicle `iris-reference` and the models named *reference* reproduce an earlier simulator digit by digit. They are kept for comparisons; the other vehicles do not use them.",
    areas: [
      "Atmosphere (isa-reference)",
      "Propulsion, parity",
      "Hover trim, parity",
      "Right-hand side, parity",
      "Open loop, 50 ms of RK4 on 2 ms, parity",
      "Bus solve, parity",
    ],
    missing: [],
  },
];
