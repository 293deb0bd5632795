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
    lead: "Power and thrust margin of the iris beside the 3DR IRIS+, its successor with the same pack (5.1 Ah) and propellers half an inch smaller; rotor speed beside its measured propeller; induced velocity beside momentum theory. Apart from the capacity of the pack, nothing of the iris was set by the numbers of the IRIS+. Their spreads, 15 % of the power and 10 % of the thrust, stand for the differences of the two vehicles.",
    areas: ["Iris in hover", "Momentum theory"],
    missing: [
      "Rotors do not disturb each other out of ground effect.",
      "Endurance is not compared: it follows from power, pack and reserve. PX4's simulation model of the iris (4 × 5.84e-6·1100² N on 1.545 kg) has 1.87 times its weight as thrust, less than the real IRIS+.",
      "Of x500, hexa and octa nothing is compared here: their propellers and motors are typical ones of their class. A real Holybro X500 V2 hovers with 0.29 of its thrust (ArduPilot, Tools/Frame_params), so it has 3.4 times its weight; our x500 has the 2.06 kg of PX4's model and 2.4 times its weight.",
    ],
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
    lead: "Tilt and power at a given speed. The drag of rotors and airframe decides the tilt; the built-in vehicles lie in the range of flights that others measured. The power of the iris lies within 4 % of the IRIS+ up to 9 m/s; its minimum lies near 6 m/s, that of the IRIS+ near 9 m/s. The derivatives of hover are under *Wind response*, because a wind is the same flow.",
    areas: ["Tilt in forward flight", "Power in forward flight"],
    plots: ["validation-forward-flight"],
    missing: [
      "The wake of the front rotors on the rear ones is not modelled.",
      "The power of the IRIS+ is the authors' fit to their flights, of which we read the constants in public code, not the paper; at which speeds they flew is not known to us.",
    ],
  },
  {
    title: "Descent",
    lead: "Induced velocity v_i through the vortex-ring state beside the curve through measurements, to which ours was fitted, and thrust at constant rotor speed beside propellers in a tunnel, of which the 10×7 was held out. v_h is the induced velocity of hover, V_c the climb.",
    areas: ["Vortex ring state", "Thrust in descent"],
    plots: ["validation-descent"],
    missing: [
      "The measured thrusts in descent are others' readings of plots, good to ±0.05; we did not read the report itself.",
      "The pitch of a propeller changes its loss (the 10×10 of the same report loses none); `vortexRingLoss` is that of a low pitch.",
    ],
  },
  {
    title: "Near the ground",
    lead: "Thrust of a rotor and of a quadrotor near the ground, of a rotor below a ceiling (`environment.ceilingM`), and a vehicle that stands in wind. The rows of ground and ceiling show that the equations of flight, with blade, inflow and power, reproduce the formulas; the constant of the fountain, K_b = 2, is the one that its authors fitted to their measurements.",
    areas: ["Ground effect", "Ceiling effect", "Parked in wind"],
    plots: ["validation-ground"],
    missing: [
      "Walls are not modelled. We found no published formula for open rotors: one paper has measurements and no model (Free University of Bozen-Bolzano, experimental evaluation of wall effect), another a formula whose constants hold for one ducted vehicle (Yang et al. 2025, Wall Inspector).",
      "What the rotors of a vehicle do to each other below a ceiling is not modelled, and a ceiling does not stop a vehicle.",
      "Ground and ceiling effect are not compared with measurements: the measured thrusts of Sánchez-Cuevas et al. and of others are published as plots, of which we found no numbers.",
    ],
  },
  {
    title: "Wind response",
    lead: "How strongly a wind moves and turns a vehicle in hover. X_u and Y_v are the deceleration per speed along and across, Z_w that along the rotors, M_u and L_v the angular acceleration that a speed causes.",
    areas: ["Wind response in hover", "Wind (Ornstein–Uhlenbeck)"],
    missing: [
      "The wake of front rotors on rear ones, which adds to M_u and L_v, is not modelled: a real vehicle may need several times the moment to hold its attitude in a wind.",
      "Turbulence by MIL-F-8785C does not include the mean wind that its intensity stands for: add a constant or shear wind. The spectra of its gusts, also of the rotary ones, are tested against the standard.",
    ],
    extra: () => [
      "Stability derivatives at constant rotor speeds and slow modes of every built-in vehicle, by linearisation",
      "(`escapement trim --linearise`), above those that others identified in flight:",
      "",
      ...hoverDynamicsTable(),
      "",
      "M_u, L_v and Z_w of the 3DR X8-M, a coaxial octocopter, are two to six times ours, and we cannot explain them by its rotors:",
      "",
      "- **Z_w.** Its propellers (11 × 4.7, as far as we know) are of the series of the iris' (10 × 4.7), whose thrust in the tunnel gives the iris −0.48,",
      "  and similar propellers at similar tip speeds nearly the same. −1.33 would need a thrust that vanishes in a climb of 7 m/s;",
      "  the measured one does at 13 m/s.",
      "- **M_u, L_v.** A flow across the vehicle turns it by the in-plane force at the height of the hubs above the centre of mass, and by",
      "  the hub moments of flapping. Written as M_u = −X_u·(m/I)·ℓ, the lever ℓ of the iris is 0.093 m: 0.030 m of height, the rest",
      "  hub moments, for which a stiffness number of 1 is already the largest case. The control derivatives of the X8-M (M_lon/Z_col is",
      "  5.2 1/m) and arms of about 0.18 m along each axis put its m/I at 30 to 60 1/m². So its lever would be 0.35 m or more, as if its",
      "  rotors stood that high. Rear rotors in the wakes of front ones are the likely rest. Lower rotors in the wakes of upper ones are",
      "  not: they change all corners alike.",
      "",
      "So X_u and Y_v of the X8-M set the rotor drag of the iris, and its other derivatives set nothing.",
    ],
  },
  {
    title: "Battery",
    lead: "Voltage under load beside a published discharge curve, by which the packs of the built-in vehicles were set, and circuits whose voltages and currents have a closed form. [defects.md](defects.md) explains the numbers of the reference simulator.",
    areas: ["Voltage under load", "Corrected, not copied"],
    plots: ["validation-battery"],
    missing: ["Temperature and age of a battery are not modelled."],
  },
  {
    title: "Sensors",
    lead: "The defaults of the raw sensors are real parts. Their errors were set from the numbers below, so the rows show that the readings have them, not that the parts do. Vibration follows from the imbalance and the speed of each propeller.",
    extra: () => [
      "Where the defaults come from:",
      "",
      "| sensor | part | from the maker | from others, or estimated |",
      "|---|---|---|---|",
      "| `imu` | InvenSense MPU-9250 | noise, range, resolution; offsets and temperature drift before a calibration | what a calibration leaves, instability, random walk |",
      "| `gnss` | u-blox NEO-M8N | horizontal and velocity accuracy, rate | latency (PX4, ArduPilot), correlation time (Beard & McLain 2012), vertical error, reported accuracy |",
      "| `magnetometer` | PNI RM3100 | noise, counts per µT, range | drift |",
      "| `barometer` | TE MS5611-01BA03 | noise, resolution | drift with the weather, lag |",
      "| `airspeed` | TE MS4525DO, ±1 psi | range, resolution; the limit of all errors, 138 Pa | noise, and the drift that zeroing before take-off leaves |",
      "| `rangeFinder` | Garmin LIDAR-Lite v3 | range, resolution, accuracy up to 5 m | accuracy beyond 5 m, shares of noise and distance |",
    ],
    areas: [
      "Inertial sensor",
      "Satellite receiver",
      "Magnetometer",
      "Barometer",
      "Airspeed sensor",
      "Range finder",
      "Vibration",
    ],
    missing: [
      "The low-pass filters inside inertial sensors are not modelled: every line of vibration is sampled as it is.",
      "Vibration of the motors' bearings and of the airframe's own resonances is not modelled.",
      "The embedded autopilot flies on the estimator's state, which does not come from the raw inertial sensors, so it does not feel vibration; PX4 does.",
    ],
  },
  {
    title: "Integration",
    lead: "Rigid-body motion over a turning Earth beside NASA's tools, and actuators beside their exact step response, and by which power of the step the error of RK4 falls on the vehicles in the air. In case 5 one tool ends 18 ft above the three others, with which ours agrees to 0.011 ft; elsewhere the tools agree better. [verification.md](verification.md) has problems with known solutions for every integrator.",
    areas: [
      "Rigid body over a turning Earth (NASA check cases)",
      "History of a rigid body over a turning Earth (NASA check cases)",
      "Actuators",
      "Order of RK4 on the vehicles",
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
