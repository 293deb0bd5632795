/**
 * The groups of the validation page, by the user's question. Every area of rows belongs to exactly one group.
 *
 * The lead of a group explains what its numbers show; `missing` lists what is not modelled or not compared. The page
 * shows every row of a short area. For a long area it shows one row per source: the row with the largest share of its
 * tolerance. The appendix shows all rows.
 */
import { hoverDynamicsTable } from "./hover-dynamics.ts";

export interface ValidationGroup {
  readonly title: string;
  readonly lead: string;
  readonly areas: readonly string[];
  readonly missing: readonly string[];
  /** If set, every area of the group is treated as long. */
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
    lead: "The power and thrust margin of the iris are compared with those of its successor, the 3DR IRIS+, which has the same pack (5.1 Ah) and propellers half an inch smaller. The rotor speed is compared with measurements of the propeller, and the induced velocity with momentum theory. Except for the capacity of the pack, no parameter of the iris was set from data of the IRIS+. The tolerances, 15 % of the power and 10 % of the thrust, allow for the differences between the two vehicles.",
    areas: ["Iris in hover", "Momentum theory"],
    missing: [
      "Interference between rotors away from the ground is not modelled.",
      "Endurance is not compared, because it follows from power, pack and reserve.",
      "PX4's simulation model of the iris (4 × 5.84e-6·1100² N for 1.545 kg) has a thrust of 1.87 times its weight, which is less than that of the real IRIS+.",
      "The x500, hexa and octa are not compared here: their propellers and motors are typical of their class. A real Holybro X500 V2 hovers at 0.29 of its thrust (ArduPilot, Tools/Frame_params), so its thrust is 3.4 times its weight. Our x500 has the mass of PX4's model, 2.06 kg, and a thrust of 2.4 times its weight.",
    ],
  },
  {
    title: "Climb",
    lead: "The thrust and power coefficients of the iris' propeller, an APC Slow Flyer 10×4.7, are compared with measurements over rotor speed and advance ratio J. The blade was fitted to every second row; the other rows are held out. The tolerance is 4 % of the largest thrust coefficient and 10 % of the largest power coefficient.",
    areas: ["Propeller of the iris"],
    plots: ["validation-propeller-static", "validation-propeller-advance"],
    missing: [
      "13 rows of the database with negative thrust (J > 0.65) are not compared, because no multirotor climbs so fast.",
      "The propellers of x500, hexa and octa use the section of this blade with a different pitch and chord. They are not compared with measurements.",
    ],
  },
  {
    title: "Forward flight",
    lead: "Tilt and power are compared at given speeds. The drag of rotors and airframe determines the tilt, which for the built-in vehicles is within the range of published flights. Up to 9 m/s, the power of the iris is within 4 % of that of the IRIS+. The iris needs least power near 6 m/s, the IRIS+ near 9 m/s. The derivatives in hover are under *Wind response*, because a wind causes the same flow as a motion.",
    areas: ["Tilt in forward flight", "Power in forward flight"],
    plots: ["validation-forward-flight"],
    missing: [
      "The effect of the front rotors' wakes on the rear rotors is not modelled.",
      "The power of the IRIS+ is computed with the formula that its authors fitted to their flights. We took its constants from their public code, not from the paper, and do not know at which speeds they flew.",
    ],
  },
  {
    title: "Descent",
    lead: "The induced velocity v_i through the vortex-ring state is compared with a curve through measurements, to which the model was fitted. The thrust at constant rotor speed is compared with that of two propellers in a wind tunnel, of which the 10×7 was held out. v_h is the induced velocity in hover, V_c the rate of climb.",
    areas: ["Vortex ring state", "Thrust in descent"],
    plots: ["validation-descent"],
    missing: [
      "The measured thrusts in descent were read from plots by others, to about ±0.05; we did not have the report itself.",
      "The loss of thrust depends on the pitch of the propeller (the 10×10 of the same report loses none). The default of `vortexRingLoss` is for a low pitch.",
    ],
  },
  {
    title: "Near the ground",
    lead: "The rows compare the thrust of a rotor and of a quadrotor near the ground, the thrust of a rotor below a ceiling (`environment.ceilingM`), and the creep of a parked vehicle in wind. The rows for ground and ceiling show that the complete rotor equations (blade, inflow and power) reproduce the published formulas. The constant of the fountain effect (the upwash between the rotors), K_b = 2, is the value that its authors fitted to their measurements.",
    areas: ["Ground effect", "Ceiling effect", "Parked in wind"],
    plots: ["validation-ground"],
    missing: [
      "Walls are not modelled. We found no published formula for open rotors: one paper has measurements and no model (Free University of Bozen-Bolzano, experimental evaluation of wall effect), and another has a formula whose constants apply to one ducted vehicle (Yang et al. 2025, Wall Inspector).",
      "Interference between rotors below a ceiling is not modelled, and a ceiling does not stop a vehicle.",
      "Ground and ceiling effect are not compared with measurements: the measured thrusts of Sánchez-Cuevas et al. and of others are published only as plots, and we found no tables of their numbers.",
    ],
  },
  {
    title: "Wind response",
    lead: "These rows show how strongly a wind moves and turns a vehicle in hover. X_u, Y_v and Z_w are the accelerations per unit of speed forward, to the side and along the rotor axes; M_u and L_v are the angular accelerations per unit of speed forward and to the side.",
    areas: ["Wind response in hover", "Wind (Ornstein–Uhlenbeck)"],
    missing: [
      "The effect of the front rotors' wakes on the rear rotors, which increases M_u and L_v, is not modelled: a real vehicle may need several times the moment to hold its attitude in a wind.",
      "Turbulence by MIL-F-8785C does not include the mean wind from which its intensity is computed: add a constant or shear wind. The spectra of its gusts, including the rotary gusts, are tested against the standard.",
    ],
    extra: () => [
      "Stability derivatives at constant rotor speeds and slow modes of every built-in vehicle, by linearisation",
      "(`escapement trim --linearise`), followed by those that others identified in flight:",
      "",
      ...hoverDynamicsTable(),
      "",
      "M_u, L_v and Z_w of the 3DR X8-M, a coaxial octocopter, are two to six times as large as ours. Its rotors do not explain the difference:",
      "",
      "- **Z_w.** Its propellers (11 × 4.7, as far as we know) are of the same series as those of the iris (10 × 4.7). The thrust of these, measured in a",
      "  wind tunnel, gives −0.48 for the iris; similar propellers at similar tip speeds give nearly the same value. For −1.33 the thrust would have to",
      "  vanish in a climb of 7 m/s, but the measured thrust vanishes at 13 m/s.",
      "- **M_u, L_v.** A flow across the vehicle turns it in two ways: the in-plane force acts at the hubs, above the centre of mass, and flapping",
      "  causes moments at the hubs. If M_u is written as −X_u·(m/I)·ℓ, the lever arm ℓ of the iris is 0.093 m: 0.030 m is the height of the hubs, and",
      "  the rest comes from hub moments, which are largest for a stiffness number of 1, as here. The control derivatives of the X8-M (M_lon/Z_col is",
      "  5.2 1/m) and arms of about 0.18 m along each axis give an m/I of 30 to 60 1/m². So its lever arm would be 0.35 m or more, as if its",
      "  rotors were that far above the centre of mass. The likely cause is that the rear rotors are in the wakes of the front rotors. The wakes of the",
      "  upper rotors on the lower ones are not the cause, because their effect is the same at all four corners.",
      "",
      "So the rotor drag of the iris was set from X_u and Y_v of the X8-M, and nothing was set from its other derivatives.",
    ],
  },
  {
    title: "Battery",
    lead: "Voltage under load is compared with a published discharge curve, from which the packs of the built-in vehicles were set, and circuits are compared with closed-form solutions. [defects.md](defects.md) explains the numbers of the reference simulator.",
    areas: ["Voltage under load", "Corrected, not copied"],
    plots: ["validation-battery"],
    missing: ["Temperature and age of a battery are not modelled."],
  },
  {
    title: "Sensors",
    lead: "The defaults of the raw sensors describe real parts. The errors of the sensors were set from the numbers below, so the rows show that the readings have these errors, not that the parts do. Vibration follows from the imbalance and the speed of each propeller.",
    extra: () => [
      "Sources of the defaults:",
      "",
      "| sensor | part | from the maker | from others, or estimated |",
      "|---|---|---|---|",
      "| `imu` | InvenSense MPU-9250 | noise, range, resolution; offsets and temperature drift before a calibration | what a calibration leaves, instability, random walk |",
      "| `gnss` | u-blox NEO-M8N | horizontal and velocity accuracy, rate | latency (PX4, ArduPilot), correlation time (Beard & McLain 2012), vertical error, reported accuracy |",
      "| `magnetometer` | PNI RM3100 | noise, counts per µT, range | drift |",
      "| `barometer` | TE MS5611-01BA03 | noise, resolution | drift with the weather, lag |",
      "| `airspeed` | TE MS4525DO, ±1 psi | range, resolution; the limit of all errors, 138 Pa | noise, and the drift that zeroing before take-off leaves |",
      "| `rangeFinder` | Garmin LIDAR-Lite v3 | range, resolution, accuracy up to 5 m | accuracy beyond 5 m, the split into constant noise (`noiseM`) and noise per metre (`noisePerM`) |",
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
      "The low-pass filters inside inertial sensors are not modelled: every vibration line is sampled without a filter.",
      "Vibration of the motors' bearings and of the airframe's own resonances is not modelled.",
      "The embedded autopilot uses the state of the estimator, which does not depend on the raw inertial sensors, so vibration does not affect it; it does affect PX4.",
    ],
  },
  {
    title: "Integration",
    lead: "Rigid-body motion over a rotating Earth is compared with NASA's simulation tools, and actuators with their exact step response. The order of RK4 is computed from how its error decreases with the step, on the vehicles in the air. The range of case 5 is wide because one tool ends 18 ft above the other three; our result agrees with these three to 0.011 ft. [verification.md](verification.md) has problems with known solutions for every integrator.",
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
    lead: "Atmosphere, gravity, geodesy and magnetic field agree with their standards to the last printed digit.",
    areas: ["Atmosphere (us76)", "Gravity", "Geodesy", "Magnetic field (WMM2025)"],
    missing: ["The ground is flat, and the local frame does not rotate with the Earth."],
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
