/**
 * Broken flight files and missions with their expected errors: code, key, line, what is wrong and how to fix it. `[Dn]`
 * names the defect that a case covers.
 */

export interface ExpectedError {
  readonly code: string;
  readonly key?: string;
  readonly line?: number;
  /** The flight file itself if absent. */
  readonly file?: string;
  /** Part of the error's `what`. */
  readonly what: string;
  /** Part of the error's `fix`. */
  readonly fix: string;
}

export interface BrokenFlight {
  readonly name: string;
  /** Text of `flight.toml`. */
  readonly toml?: string;
  /** Text of `flight.json`, used instead of `flight.toml`. */
  readonly json?: string;
  /** Other files, by name. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly errors: readonly ExpectedError[];
}

const mission = 'extends = "mission"\n';
const iris = (more: string) => `${mission}[vehicle]\nextends = "iris"\n${more}\n`;
const rotor = (x: number, y: number, more: string) => `{ positionM = [${x}, ${y}, 0], ${more} }`;
const rotors = (first: string) =>
  `rotors = [\n  ${rotor(0.2, 0.2, first)},\n  ${rotor(-0.2, -0.2, "direction = 1, channel = 2")},\n  ${rotor(0.2, -0.2, "direction = -1, channel = 3")},\n  ${rotor(-0.2, 0.2, "direction = -1, channel = 4")},\n]`;
const WPL = "QGC WPL 110\n";
const item = (seq: number, command: number, lat = 47.397742, lon = 8.545594, alt = 10, p1 = 0) =>
  `${seq}\t0\t3\t${command}\t${p1}\t0\t0\t0\t${lat}\t${lon}\t${alt}\t1\n`;
const event = (text: string) => `${mission}[[scenario]]\n${text}\n`;
const flies = 'mission = "m.waypoints"\n';

/** Values, types and ranges. */
// prettier-ignore
const values: readonly BrokenFlight[] = [
  { name: "a text for a number", toml: 'seed = "seven"\n', errors: [{ code: "FLIGHT-004", key: "seed", line: 1, what: '"seven" is not a number', fix: "a number" }] },
  { name: "[D16] a switch for a number", toml: iris("massKg = true"), errors: [{ code: "FLIGHT-004", key: "vehicle.massKg", line: 4, what: "true is not a number", fix: "a number in kg" }] },
  { name: "a number for a switch", toml: "strictRates = 1\n", errors: [{ code: "FLIGHT-004", key: "strictRates", line: 1, what: "1 is not a boolean", fix: "true or false" }] },
  { name: "a number for a text", toml: "name = 7\n", errors: [{ code: "FLIGHT-004", key: "name", line: 1, what: "7 is not a text", fix: "quotes" }] },
  { name: "a negative mass", toml: iris("massKg = -1.5"), errors: [{ code: "FLIGHT-005", key: "vehicle.massKg", line: 4, what: "-1.5 kg is out of range", fix: "above 0" }] },
  { name: "no mass at all", toml: iris("massKg = 0"), errors: [{ code: "FLIGHT-005", key: "vehicle.massKg", line: 4, what: "0 kg is out of range", fix: "above 0" }] },
  { name: "an infinite number", toml: iris("massKg = inf"), errors: [{ code: "FLIGHT-006", key: "vehicle.massKg", line: 4, what: "Infinity is not finite", fix: "kg" }] },
  { name: "not a number", toml: '[wind]\nkind = "ou"\ntauS = nan\n', errors: [{ code: "FLIGHT-006", key: "wind.tauS", line: 3, what: "NaN is not finite", fix: "finite number in s" }] },
  { name: "a fraction for a whole number", toml: "seed = 1.5\n", errors: [{ code: "FLIGHT-007", key: "seed", line: 1, what: "1.5 is not a whole number", fix: "e.g. 2" }] },
  { name: "a seed above the largest exact integer", toml: "seed = 1e17\n", errors: [{ code: "FLIGHT-005", key: "seed", line: 1, what: "out of range", fix: "from 0 to 2^53 - 1" }] },
  { name: "a vector of two", toml: "[wind]\nmeanNedMps = [1, 2]\n", errors: [{ code: "FLIGHT-008", key: "wind.meanNedMps", line: 2, what: "the list has 2 values", fix: "3 numbers in m/s" }] },
  { name: "a text in a vector", toml: '[wind]\nmeanNedMps = [1, "2", 3]\n', errors: [{ code: "FLIGHT-004", key: "wind.meanNedMps[1]", line: 2, what: '"2" is not a number', fix: "m/s" }] },
  { name: "a number for a vector", toml: "[wind]\nmeanNedMps = 5\n", errors: [{ code: "FLIGHT-004", key: "wind.meanNedMps", line: 2, what: "5 is not a list", fix: "3 numbers" }] },
  { name: "a correlation time of zero", toml: "[wind]\ntauS = 0\n", errors: [{ code: "FLIGHT-005", key: "wind.tauS", line: 2, what: "0 s is out of range", fix: "at least" }] },
  { name: "a negative standard deviation", toml: "[wind]\nsigmaNedMps = [1, -1, 0]\n", errors: [{ code: "FLIGHT-005", key: "wind.sigmaNedMps[1]", line: 2, what: "-1 m/s is out of range", fix: "at least 0" }] },
  { name: "no gravity", toml: '[environment.gravity]\nkind = "uniform"\naccelerationMps2 = 0\n', errors: [{ code: "FLIGHT-005", key: "environment.gravity.accelerationMps2", line: 3, what: "0 m/s2 is out of range", fix: "above 0" }] },
  { name: "a latitude beyond the pole", toml: "[environment.origin]\nlatDeg = 95\n", errors: [{ code: "FLIGHT-005", key: "environment.origin.latDeg", line: 2, what: "95 deg is out of range", fix: "from -90 to 90" }] },
  { name: "an unknown choice", toml: 'commandPolicy = "loose"\n', errors: [{ code: "FLIGHT-010", key: "commandPolicy", line: 1, what: '"loose" is not one of the choices', fix: "one of: strict, clamp" }] },
  { name: "a number for a section", toml: "timeline = 20\n", errors: [{ code: "FLIGHT-004", key: "timeline", line: 1, what: "20 is not a table", fix: "[timeline]" }] },
  { name: "a number for a kind", toml: "wind = 3\n", errors: [{ code: "FLIGHT-004", key: "wind", line: 1, what: "3 is neither a name nor a table", fix: 'wind = "ou"' }] },
];

/** Times. */
// prettier-ignore
const times: readonly BrokenFlight[] = [
  { name: "[D3] a period of one and a half microseconds", toml: "[timeline]\nautopilotPeriodS = 0.0000015\n", errors: [{ code: "FLIGHT-011", key: "timeline.autopilotPeriodS", line: 2, what: "not a whole number of microseconds", fix: "use 0.000002 s, which is the nearest" }] },
  { name: "arming after half a microsecond", toml: `${mission}[mission]\narmAtS = 0.0000005\n`, errors: [{ code: "FLIGHT-011", key: "mission.armAtS", line: 3, what: "not a whole number of microseconds", fix: "nearest" }] },
  { name: "a negative end", toml: "[timeline]\nendS = -1\n", errors: [{ code: "FLIGHT-005", key: "timeline.endS", line: 2, what: "-1 s is out of range", fix: "at least 0" }] },
  { name: "a period of zero", toml: "[timeline]\nlogPeriodS = 0\n", errors: [{ code: "FLIGHT-005", key: "timeline.logPeriodS", line: 2, what: "the duration is 0 s", fix: "0.000001" }] },
  { name: "an absurd end", toml: "[timeline]\nendS = 1e12\n", errors: [{ code: "FLIGHT-005", key: "timeline.endS", line: 2, what: "out of range", fix: "below" }] },
  { name: "an end that would never come", toml: "[timeline]\nendS = 9e7\n", errors: [{ code: "FLIGHT-005", key: "timeline.endS", line: 2, what: "would take more than", fix: "at most" }] },
  { name: "an autopilot between physics ticks", toml: 'integrator = "rk4"\n[timeline]\nautopilotPeriodS = 0.0045\n', errors: [{ code: "FLIGHT-012", key: "timeline.autopilotPeriodS", line: 3, what: "not a whole multiple of the physics period, 0.001 s", fix: "0.004 s or 0.005 s" }] },
  { name: "wind and log between physics ticks, both reported", toml: 'integrator = "rk4"\n[timeline]\nwindPeriodS = 0.0155\nlogPeriodS = 0.0005\n', errors: [{ code: "FLIGHT-012", key: "timeline.windPeriodS", line: 3, what: "0.0155 s", fix: "0.015 s or 0.016 s" }, { code: "FLIGHT-012", key: "timeline.logPeriodS", line: 4, what: "0.0005 s", fix: "use 0.001 s" }] },
  { name: "an autopilot slower than its fastest loop", toml: "[timeline]\nautopilotPeriodS = 0.05\n", errors: [{ code: "FLIGHT-019", key: "timeline.autopilotPeriodS", line: 2, what: "longest period of the autopilot's rate loop", fix: "strictRates = false" }] },
  { name: "an estimator with its own period", toml: "[estimator]\nperiodS = 0.002\n", errors: [{ code: "FLIGHT-002", key: "estimator.periodS", line: 2, what: 'unknown key "periodS"', fix: "known keys" }] },
  { name: "a delay between two ticks", toml: "[timeline]\nautopilotPeriodS = 0.01\nwindPeriodS = 0.02\n[estimator]\ndelayS = 0.015\n", errors: [{ code: "FLIGHT-012", key: "estimator.delayS", line: 5, what: "0.015 s is not a whole number of autopilot periods of 0.01 s", fix: "use 0.01 s or 0.02 s" }] },
  { name: "a step too long for the ground's stiffness", toml: 'integrator = "rk4"\n[timeline]\nphysicsPeriodS = 0.02\nautopilotPeriodS = 0.02\n', errors: [{ code: "FLIGHT-020", key: "timeline.physicsPeriodS", line: 3, what: "a step of 0.02 s is too long", fix: 'integrator = "rk45"' }] },
  { name: "a step too long for a jammed rotor", toml: `integrator = "rk4"\n${iris('propulsion = { jamTimeS = 0.0001 }\n[[scenario]]\nat = "5 s"\nmotorJam = { motor = 1 }')}`, errors: [{ code: "FLIGHT-012", key: "vehicle.propulsion.jamTimeS", line: 5, what: "a rotor that jams in 0.0001 s", fix: "a physics period of at most 0.0001 s" }] },
  { name: "a step too long for an actuator", toml: `integrator = "rk4"\n${iris('motorActuator = { kind = "secondOrder", naturalRadS = 900 }')}`, errors: [{ code: "FLIGHT-021", key: "vehicle.motorActuator", line: 5, what: "an actuator of 900 rad/s", fix: "at most 0.000333 s" }] },
  { name: "a sensor between autopilot ticks", toml: "[sensors]\nimu = { periodS = 0.003 }\n", errors: [{ code: "SENSOR-001", key: "sensors.imu.periodS", line: 2, what: "0.003 s is not a whole multiple", fix: "0.004 s" }] },
  { name: "a navigator between ticks", toml: "[autopilot]\nnavigatorPeriodS = 0.013\n", errors: [{ code: "AUTOPILOT-003", key: "autopilot.navigatorPeriodS", line: 2, what: "navigator", fix: "0.012" }] },
];

/** Keys and kinds. */
// prettier-ignore
const names: readonly BrokenFlight[] = [
  { name: "a misspelled section", toml: '[windd]\nkind = "ou"\n', errors: [{ code: "FLIGHT-002", key: "windd", line: 1, what: 'unknown key "windd"', fix: 'did you mean "wind"?' }] },
  { name: "a misspelled key", toml: "[timeline]\nendSec = 20\n", errors: [{ code: "FLIGHT-002", key: "timeline.endSec", line: 2, what: 'unknown key "endSec"', fix: 'did you mean "endS"?' }] },
  { name: "a key without its unit", toml: iris("mass = 1.5"), errors: [{ code: "FLIGHT-002", key: "vehicle.mass", line: 4, what: 'unknown key "mass"', fix: 'did you mean "massKg"?' }] },
  { name: "[D16] a Greek key", toml: iris('motorActuator = { kind = "firstOrder", "τ" = 0.02 }'), errors: [{ code: "FLIGHT-002", key: "vehicle.motorActuator.τ", line: 4, what: 'unknown key "τ"', fix: "tauS" }] },
  { name: "[D15] a second copy of the rotors' directions", toml: iris("rotorDirections = [1, 1, -1, -1]"), errors: [{ code: "FLIGHT-002", key: "vehicle.rotorDirections", line: 4, what: 'unknown key "rotorDirections"', fix: "known keys" }] },
  { name: "an unknown wind", toml: '[wind]\nkind = "ouu"\n', errors: [{ code: "FLIGHT-013", key: "wind.kind", line: 2, what: 'unknown kind "ouu" for wind', fix: 'did you mean "ou"? use one of: none' }] },
  { name: "an unknown wind by its bare name", toml: 'wind = "drydn"\n', errors: [{ code: "FLIGHT-013", key: "wind.kind", line: 1, what: '"drydn"', fix: 'did you mean "dryden"?' }] },
  { name: "an unknown integrator", toml: 'integrator = "rk99"\n', errors: [{ code: "FLIGHT-013", key: "integrator.kind", line: 1, what: 'unknown kind "rk99" for integrator', fix: "one of: euler, rk4, rk23, rk43, rk45" }] },
  { name: "another spelling is offered, not guessed", toml: 'integrator = "RK45"\n', errors: [{ code: "FLIGHT-013", key: "integrator.kind", line: 1, what: '"RK45"', fix: 'did you mean "rk45"?' }] },
  { name: "a parameter of another kind", toml: '[wind]\nkind = "dryden"\ntauS = 3\n', errors: [{ code: "FLIGHT-002", key: "wind.tauS", line: 3, what: 'unknown key "tauS"', fix: "known keys: kind" }] },
  { name: "an unknown atmosphere", toml: '[environment]\natmosphere = "mars"\n', errors: [{ code: "FLIGHT-013", key: "environment.atmosphere.kind", line: 2, what: '"mars"', fix: "us76" }] },
  { name: "an unknown vehicle", toml: 'vehicle = "irs"\n', errors: [{ code: "FLIGHT-013", key: "vehicle.extends", line: 1, what: 'unknown vehicle "irs"', fix: 'did you mean "iris"?' }] },
  { name: "an unknown autopilot", toml: 'autopilot = "ardupilot"\n', errors: [{ code: "FLIGHT-013", key: "autopilot.kind", line: 1, what: '"ardupilot"', fix: "one of: embedded" }] },
  { name: "an unknown sensor", toml: "[sensors]\nlidar = true\n", errors: [{ code: "FLIGHT-013", key: "sensors.lidar", line: 2, what: 'unknown sensor "lidar"', fix: "one of: imu" }] },
  { name: "an unknown PX4 parameter", toml: "[autopilot.parameters]\nMPC_XY_CRUSE = 4\n", errors: [{ code: "AUTOPILOT-001", key: "autopilot.parameters.MPC_XY_CRUSE", line: 2, what: 'no parameter "MPC_XY_CRUSE"', fix: 'did you mean "MPC_XY_CRUISE"?' }] },
  { name: "a PX4 parameter out of range", toml: "[autopilot.parameters]\nMPC_TILTMAX_AIR = 120\n", errors: [{ code: "AUTOPILOT-002", key: "autopilot.parameters.MPC_TILTMAX_AIR", line: 2, what: "120 deg cannot be used", fix: "from 1 to 89" }] },
  { name: "a parameter that is not a number", toml: '[autopilot.parameters]\nMPC_XY_CRUISE = "fast"\n', errors: [{ code: "FLIGHT-004", key: "autopilot.parameters.MPC_XY_CRUISE", line: 2, what: '"fast" is not a finite number', fix: "a finite number" }] },
  { name: "parameters of an autopilot that has none", toml: '[autopilot]\nkind = "none"\n[autopilot.parameters]\nMPC_XY_CRUISE = 4\n', errors: [{ code: "AUTOPILOT-001", key: "autopilot.parameters.MPC_XY_CRUISE", line: 4, what: "no parameter", fix: "another autopilot" }] },
  { name: "a log without a name", toml: "[[outputs.logs]]\neveryRows = 5\n", errors: [{ code: "FLIGHT-003", key: "outputs.logs[0].file", line: 1, what: "missing", fix: "Path of the log" }] },
  { name: "a column that a log cannot have", toml: '[[outputs.logs]]\nfile = "a.csv"\ncolumns = ["pos_ned_d_m", "rotor_speed_9_radps", "altitude"]\n', errors: [{ code: "FLIGHT-010", key: "outputs.logs[0].columns[1]", line: 3, what: 'no column "rotor_speed_9_radps"', fix: 'did you mean "rotor_speed_1_radps"?' }, { code: "FLIGHT-010", key: "outputs.logs[0].columns[2]", line: 3, what: 'no column "altitude"', fix: "pos_ned_n_m" }] },
  { name: "a pace that goes backwards", toml: "[outputs]\npaceX = -1\n", errors: [{ code: "FLIGHT-005", key: "outputs.paceX", line: 2, what: "-1", fix: "from 0 to 1000000" }] },
];

/** Vehicles. */
// prettier-ignore
const vehicles: readonly BrokenFlight[] = [
  { name: "a vehicle without a parent lacks the keys that have no default", toml: "[vehicle]\nmassKg = 2\n[vehicle.contact]\nenabled = false\n", errors: [{ code: "FLIGHT-003", key: "vehicle.rotors", line: 1, what: '"vehicle.rotors" is missing', fix: "a list of tables" }] },
  { name: "inertia given twice in one file", toml: iris("inertiaDiagKgM2 = [0.03, 0.03, 0.05]\ninertiaKgM2 = [0.03, 0, 0, 0, 0.03, 0, 0, 0, 0.05]"), errors: [{ code: "FLIGHT-012", key: "vehicle.inertiaKgM2", line: 5, what: "inertia is given twice", fix: "inertiaKgM2, or inertiaDiagKgM2" }] },
  { name: "an asymmetric tensor", toml: iris("inertiaKgM2 = [0.02, 0.001, 0, 0.002, 0.03, 0, 0, 0, 0.04]"), errors: [{ code: "FLIGHT-012", key: "vehicle.inertiaKgM2", line: 4, what: "not symmetric", fix: "give a symmetric tensor" }] },
  { name: "a tensor that is not positive definite", toml: iris("inertiaDiagKgM2 = [1, 1, 1]\ninertiaProductsKgM2 = [2, 0, 0]"), errors: [{ code: "FLIGHT-012", key: "vehicle.inertiaDiagKgM2", line: 4, what: "not positive definite", fix: "moments and products" }] },
  { name: "moments of inertia that no body can have", toml: iris("inertiaDiagKgM2 = [0.01, 0.01, 0.05]"), errors: [{ code: "FLIGHT-012", key: "vehicle.inertiaDiagKgM2", line: 4, what: "no body has such moments", fix: "largest" }] },
  { name: "an inertia tensor of eight numbers", toml: iris("inertiaKgM2 = [1, 0, 0, 0, 1, 0, 0, 0]"), errors: [{ code: "FLIGHT-012", key: "vehicle.inertiaKgM2", line: 4, what: "8 values given", fix: "nine" }] },
  { name: "half a direction", toml: iris(rotors("direction = 0.5, channel = 1")), errors: [{ code: "FLIGHT-007", key: "vehicle.rotors[0].direction", line: 5, what: "0.5 is not a whole number", fix: "e.g. 1" }] },
  { name: "no direction", toml: iris(rotors("direction = 0, channel = 1")), errors: [{ code: "FLIGHT-012", key: "vehicle.rotors[0].direction", line: 5, what: "0 is not a direction", fix: "1 or -1" }] },
  { name: "a rotor without an axis", toml: iris(rotors("direction = 1, channel = 1, axis = [0, 0, 0]")), errors: [{ code: "FLIGHT-012", key: "vehicle.rotors[0].axis", line: 5, what: "no direction", fix: "0, 0, 1" }] },
  { name: "two rotors on one channel", toml: iris(rotors("direction = 1, channel = 2")), errors: [{ code: "FLIGHT-012", key: "vehicle.rotors", line: 4, what: "share a channel", fix: "give each rotor its own channel" }] },
  { name: "a channel that does not exist", toml: iris(rotors("direction = 1, channel = 13")), errors: [{ code: "FLIGHT-005", key: "vehicle.rotors[0].channel", line: 5, what: "13 is out of range", fix: "from 1 to 12" }] },
  { name: "a rotor on a bus that does not exist", toml: iris(rotors('direction = 1, channel = 1, bus = "aux"')), errors: [{ code: "FLIGHT-012", key: "vehicle.rotors[0].bus", line: 5, what: 'no bus "aux"', fix: "one of: main" }] },
  { name: "a bus without a battery", toml: iris('buses = [{ name = "main" }, { name = "aux" }]'), errors: [{ code: "FLIGHT-012", key: "vehicle.buses[1]", line: 4, what: '"aux" has no battery', fix: "give it one" }] },
  { name: "[D16] an unknown battery model", toml: iris('batteries = [{ model = "lipo" }]'), errors: [{ code: "FLIGHT-010", key: "vehicle.batteries[0].model", line: 4, what: '"lipo" is not one of the choices', fix: "thevenin, ideal" }] },
  { name: "[D16] an unknown propulsion", toml: iris('propulsion = { level = "jet" }'), errors: [{ code: "FLIGHT-010", key: "vehicle.propulsion.level", line: 4, what: '"jet" is not one of the choices', fix: "linear, reference, momentum" }] },
  { name: "a charge curve of unequal lengths", toml: iris("batteries = [{ ocvSoc = [0, 0.5, 1], ocvV = [10, 12] }]"), errors: [{ code: "FLIGHT-012", key: "vehicle.batteries[0].ocvV", line: 4, what: "2 voltages for 3 states of charge", fix: "give one voltage per state of charge" }] },
  { name: "a charge curve that runs backwards", toml: iris("batteries = [{ ocvSoc = [0, 1, 0.5], ocvV = [10, 11, 12] }]"), errors: [{ code: "FLIGHT-009", key: "vehicle.batteries[0].ocvSoc[2]", line: 4, what: "0.5 does not exceed", fix: "strictly increasing" }] },
  { name: "a charge curve without an end", toml: iris("batteries = [{ ocvSoc = [0, 0.8], ocvV = [10, 12] }]"), errors: [{ code: "FLIGHT-012", key: "vehicle.batteries[0].ocvSoc", line: 4, what: "does not run from empty to full", fix: "from 0 to 1" }] },
  { name: "a flat hull", toml: iris("contact = { hullSizeM = [0.5, 0.5, 0] }"), errors: [{ code: "FLIGHT-012", key: "vehicle.contact.hullSizeM", line: 4, what: "a hull needs three sides above 0 m", fix: "three lengths above 0" }] },
  { name: "warnings out of order", toml: iris("batteries = [{ lowSoc = 0.05, criticalSoc = 0.1, emergencySoc = 0.02 }]"), errors: [{ code: "FLIGHT-012", key: "vehicle.batteries[0].lowSoc", line: 4, what: "thresholds are not ordered", fix: "low ≥ critical ≥ emergency" }] },
  { name: "[D5] a thrust that the motors cannot give", toml: 'extends = "mission"\n[vehicle]\nextends = "iris-reference"\n[vehicle.propulsion.reference]\nthrustMultiple = 90\n', errors: [{ code: "PLANT-003", key: "vehicle.propulsion.reference", line: 4, what: "at most 9.96 N", fix: "smaller thrustMultiple" }] },
  { name: "an error in a vehicle file names that file", toml: 'vehicle = "heavy.toml"\n', files: { "heavy.toml": '# heavier\nextends = "iris"\nmassKg = -2\nturbo = true\n' }, errors: [{ code: "FLIGHT-005", key: "massKg", line: 3, file: "heavy.toml", what: "-2 kg", fix: "above 0" }, { code: "FLIGHT-002", key: "turbo", line: 4, file: "heavy.toml", what: 'unknown key "turbo"', fix: "known keys" }] },
  { name: "a missing vehicle file", toml: 'vehicle = "heavy.toml"\n', errors: [{ code: "FILE-023", key: "vehicle", line: 1, what: "heavy.toml does not exist", fix: "check the path" }] },
  { name: "vehicle files that extend each other", toml: 'vehicle = "a.toml"\n', files: { "a.toml": 'extends = "b.toml"\n', "b.toml": 'massKg = 2\nextends = "a.toml"\n' }, errors: [{ code: "FLIGHT-015", key: "extends", line: 2, file: "b.toml", what: "extends forms a cycle", fix: "remove one of these links" }] },
];

/** `extends`. */
// prettier-ignore
const extending: readonly BrokenFlight[] = [
  { name: "an unknown built-in flight", toml: 'extends = "misson"\n', errors: [{ code: "FLIGHT-014", key: "extends", line: 1, what: '"misson" is neither a built-in nor a file', fix: 'did you mean "mission"?' }] },
  { name: "a missing file", toml: 'extends = "base.toml"\n', errors: [{ code: "FILE-023", key: "extends", line: 1, what: "base.toml does not exist", fix: "relative to the file that names it" }] },
  { name: "a file that extends itself", toml: 'seed = 1\nextends = "flight.toml"\n', errors: [{ code: "FLIGHT-015", key: "extends", line: 2, what: "extends forms a cycle", fix: "remove one of these links" }] },
  { name: "three files that extend each other in a cycle", toml: 'extends = "a.toml"\n', files: { "a.toml": 'extends = "b.toml"\n', "b.toml": '\n\nextends = "flight.toml"\n' }, errors: [{ code: "FLIGHT-015", key: "extends", line: 3, file: "b.toml", what: "a.toml", fix: "remove one of these links" }] },
  { name: "a number to extend", toml: "extends = 7\n", errors: [{ code: "FLIGHT-004", key: "extends", line: 1, what: "a name or a list", fix: 'extends = "iris"' }] },
  { name: "an error in the parent names the parent's file", toml: 'extends = "base.toml"\nseed = 2\n', files: { "base.toml": '[wind]\nkind = "gale"\n' }, errors: [{ code: "FLIGHT-013", key: "wind.kind", line: 2, file: "base.toml", what: '"gale"', fix: "one of: none" }] },
  { name: "[D7] a parent's mission is looked for beside the parent", toml: 'extends = "sub/base.toml"\n', files: { "sub/base.toml": 'mission = "square.plan"\n', "square.plan": "{}" }, errors: [{ code: "FILE-023", file: "sub/base.toml", key: "mission", line: 1, what: "sub/square.plan does not exist", fix: "relative to the file that names it" }] },
];

/** Texts that are not flight files. */
// prettier-ignore
const texts: readonly BrokenFlight[] = [
  { name: "a key without a value", toml: "seed = 1\nname =\n", errors: [{ code: "FILE-004", line: 2, what: "column", fix: "key = value" }] },
  { name: "a text without quotes", toml: "seed = 1\n[wind]\nkind = ou\n", errors: [{ code: "FILE-004", line: 3, what: "column", fix: "quotes" }] },
  { name: "a file cut short", toml: "seed = 1\n[wind", errors: [{ code: "FILE-004", line: 2, what: "the table header is not closed", fix: "write [wind]" }] },
  { name: "a string that is not closed", toml: 'seed = 1\nextends = "hover\n', errors: [{ code: "FILE-004", line: 2, what: "a string is not closed, at column 17", fix: "write the closing quote" }] },
  { name: "a string that is not closed, with a comment", toml: "extends = 'hover # the base\n", errors: [{ code: "FILE-004", line: 1, what: "a string is not closed", fix: "write the closing quote" }] },
  { name: "a string without its opening quote", toml: 'extends = "hover"\nname = stays up"\n', errors: [{ code: "FILE-004", line: 2, what: "a quote is missing or misplaced: invalid value, at column 8", fix: "begin and end every string with the same quote" }] },
  { name: "a string that is not closed before the next one", toml: 'requirements = ["never tilt > 3 deg, "x"]\n', errors: [{ code: "FILE-004", line: 1, what: "a quote is missing or misplaced", fix: "begin and end every string with the same quote" }] },
  { name: "a vehicle with a number as its description", toml: 'extends = "hover"\n[vehicle]\nextends = "iris"\nabout = 5\n', errors: [{ code: "FLIGHT-004", key: "vehicle.about", line: 4, what: "5 is not a text", fix: "put it in quotes" }] },
  { name: "a control character in a string", toml: 'name = "a\u0001b"\n', errors: [{ code: "FILE-004", line: 1, what: "control characters are not allowed in strings", fix: "correct the TOML" }] },
  { name: "an event whose header is not closed", toml: 'seed = 1\n[[scenario]  # first\nat = "1 s"\n', errors: [{ code: "FILE-004", line: 2, what: "the table header is not closed", fix: "write [[scenario]]" }] },
  { name: "a key given twice", toml: "seed = 1\nseed = 2\n", errors: [{ code: "FILE-004", line: 2, what: "column", fix: "TOML" }] },
  { name: "absurd nesting", toml: `a = ${"[".repeat(200)}${"]".repeat(200)}\n`, errors: [{ code: "FILE-003", line: 1, what: "", fix: "levels" }] },
  { name: "an absurd size", toml: "#".repeat((1 << 20) + 1), errors: [{ code: "FILE-002", what: "", fix: "" }] },
  { name: "bytes that are not text", toml: "seed = 1\n", files: { "flight.toml": Uint8Array.of(0x73, 0xff, 0xfe) }, errors: [{ code: "FILE-001", what: "not UTF-8", fix: "UTF-8" }] },
  { name: "JSON with an extra comma", json: '{\n  "seed": 1,\n}', errors: [{ code: "FILE-004", line: 3, what: "key in quotes", fix: '"key": value' }] },
  { name: "JSON with the same errors as TOML", json: '{\n  "wind": {\n    "kind": "ouu" },\n  "seed": 1.5\n}', errors: [{ code: "FLIGHT-013", key: "wind.kind", line: 3, what: '"ouu"', fix: 'did you mean "ou"?' }, { code: "FLIGHT-007", key: "seed", line: 4, what: "1.5", fix: "e.g. 2" }] },
  { name: "JSON that is a list", json: "[1]", errors: [{ code: "FILE-009", line: 1, what: "must contain an object", fix: "{" }] },
  { name: "everything at once, in the order of the file", toml: 'seed = -1\n[wind]\nkind = "ouu"\n[timeline]\nendS = "long"\nlogPeriodS = 0.0155\n[[scenario]]\nat = "5 s"\nmotorOf = { motor = 1 }\n', errors: [{ code: "FLIGHT-005", key: "seed", line: 1, what: "-1", fix: "from 0 to 2^53 - 1" }, { code: "FLIGHT-013", key: "wind.kind", line: 3, what: '"ouu"', fix: "ou" }, { code: "FLIGHT-004", key: "timeline.endS", line: 5, what: '"long"', fix: "s" }, { code: "FLIGHT-002", key: "scenario[0].motorOf", line: 9, what: "neither a trigger nor an action", fix: 'did you mean "motorOff"?' }] },
];

/** Missions. */
// prettier-ignore
const missions: readonly BrokenFlight[] = [
  { name: "a missing mission file", toml: 'mission = "square.plan"\n', errors: [{ code: "FILE-023", key: "mission", line: 1, what: "square.plan does not exist", fix: "check the path" }] },
  { name: "a mission of an unknown kind", toml: flies, files: { "m.waypoints": "HELLO 1\n" }, errors: [{ code: "FILE-005", file: "m.waypoints", line: 1, what: "", fix: "QGC WPL 110" }] },
  { name: "a mission of another version", toml: flies, files: { "m.waypoints": "QGC WPL 120\n" }, errors: [{ code: "FILE-006", file: "m.waypoints", line: 1, what: "120", fix: "" }] },
  { name: "a mission without items", toml: flies, files: { "m.waypoints": WPL }, errors: [{ code: "MISSION-006", file: "m.waypoints", line: 1, what: "no items", fix: "take-off" }] },
  { name: "a line cut short", toml: flies, files: { "m.waypoints": `${WPL}${item(0, 22)}1\t0\t3\t16\t0\t0` }, errors: [{ code: "FILE-007", file: "m.waypoints", line: 3, what: "columns", fix: "12" }] },
  { name: "an unknown command, and a position off the globe", toml: flies, files: { "m.waypoints": `${WPL}${item(0, 22)}${item(1, 4711)}${item(2, 16, 147)}${item(3, 21)}` }, errors: [{ code: "MISSION-001", file: "m.waypoints", line: 3, what: "unknown command 4711", fix: "use one of: 16" }, { code: "MISSION-003", file: "m.waypoints", line: 4, what: "is not a position", fix: "±90°" }] },
  { name: "a jump to an item that does not exist", toml: flies, files: { "m.waypoints": `${WPL}${item(0, 22)}${item(1, 177, 0, 0, 0, 9)}${item(2, 21)}` }, errors: [{ code: "MISSION-005", file: "m.waypoints", line: 3, what: "jumps to item 9", fix: "from 0 to 2" }] },
  { name: "an item for other vehicles", toml: flies, files: { "m.waypoints": `${WPL}${item(0, 84)}${item(1, 21)}` }, errors: [{ code: "MISSION-002", file: "m.waypoints", line: 2, what: "NAV_VTOL_TAKEOFF", fix: "22" }] },
  { name: "items that are missing from the count", toml: flies, files: { "m.waypoints": `${WPL}${item(0, 22)}${item(2, 21)}` }, errors: [{ code: "FILE-014", file: "m.waypoints", line: 3, what: "", fix: "" }] },
  { name: "a plan cut short", toml: 'mission = "m.plan"\n', files: { "m.plan": '{\n "fileType": "Plan",\n "version": 1,\n "mission": {' }, errors: [{ code: "FILE-004", file: "m.plan", line: 4, what: "", fix: "" }] },
  { name: "a .plan file that is not a plan", toml: 'mission = "m.plan"\n', files: { "m.plan": '{ "fileType": "Parameters", "version": 1 }' }, errors: [{ code: "FILE-005", file: "m.plan", line: 1, what: "", fix: "" }] },
  { name: "a mission given twice", toml: '[mission]\nfile = "m.waypoints"\nitems = [{ land = true }]\n', errors: [{ code: "FLIGHT-012", key: "mission.file", line: 2, what: "defined twice", fix: "one of the two" }] },
  { name: "a mission that is a number", toml: "mission = 3\n", errors: [{ code: "FLIGHT-004", key: "mission", line: 1, what: "3 is not a mission", fix: ".plan" }] },
  { name: "no items", toml: "[mission]\nitems = []\n", errors: [{ code: "FLIGHT-008", key: "mission.items", line: 2, what: "0 items", fix: "between 1 and 2000" }] },
  { name: "items by name: misspelled, incomplete, two in one", toml: "[mission]\nitems = [\n  { takeof = { altitudeM = 10 } },\n  { waypoint = { northM = 5 } },\n  { land = true, rtl = true },\n]\n", errors: [{ code: "FLIGHT-002", key: "mission.items[0].takeof", line: 3, what: 'unknown key "takeof"', fix: 'did you mean "takeoff"?' }, { code: "FLIGHT-003", key: "mission.items[1].waypoint.altitudeM", line: 4, what: "missing", fix: "Height above the origin" }, { code: "FLIGHT-012", key: "mission.items[2].rtl", line: 5, what: "the item has two words", fix: "two items" }] },
  { name: "items by number: off the globe, unknown", toml: "[mission]\nitems = [\n  { command = 22, latDeg = 147.4, lonDeg = 8.5, altM = 10 },\n  { command = 4711 },\n]\n", errors: [{ code: "MISSION-003", key: "mission.items[0]", line: 3, what: "is not a position", fix: "±90°" }, { code: "MISSION-001", key: "mission.items[1]", line: 4, what: "4711", fix: "use one of: 16" }] },
  { name: "a downward take-off", toml: "[mission]\nitems = [\n  { command = 22, latDeg = 47.397742, lonDeg = 8.545594, altM = -3 },\n]\n", errors: [{ code: "MISSION-003", key: "mission.items[0]", line: 3, what: "climbs to -3 m", fix: "above zero" }] },
  { name: "one world origin: a mission on another continent", toml: `${mission}[environment.origin]\nlatDeg = -33.9\nlonDeg = 18.4\n`, errors: [{ code: "FLIGHT-023", key: "mission.items[0]", file: "mission", what: "km from the origin", fix: "environment.origin near latDeg = 47.39" }] },
  { name: "one world origin: a planned home that contradicts it", toml: "[environment.origin]\nlatDeg = 47.4\nlonDeg = 8.6\n[mission]\nhome = { latDeg = 47.397742, lonDeg = 8.545594, altM = 488 }\nitems = [{ takeoff = { altitudeM = 10 } }, { land = true }]\n", errors: [{ code: "FLIGHT-023", key: "environment.origin", line: 1, what: "planned for a home 4 km away", fix: "latDeg = 47.397742" }] },
  { name: "a missing parameter file", toml: '[autopilot]\nparametersFile = "my.params"\n', errors: [{ code: "FILE-023", key: "autopilot.parametersFile", line: 2, what: "my.params does not exist", fix: "check the path" }] },
  { name: "a parameter file with a broken line", toml: '[autopilot]\nparametersFile = "my.params"\n', files: { "my.params": "1\t1\tMPC_XY_CRUISE\tfast\t9\n" }, errors: [{ code: "FILE-008", key: "MPC_XY_CRUISE", file: "my.params", line: 1, what: "fast", fix: "" }] },
  { name: "a parameter file with a value that cannot be used", toml: '[autopilot]\nparametersFile = "my.params"\n', files: { "my.params": "1\t1\tMPC_TILTMAX_AIR\t120\t9\n" }, errors: [{ code: "AUTOPILOT-002", key: "autopilot.parametersFile", line: 2, what: "MPC_TILTMAX_AIR = 120", fix: "from 1 to 89" }] },
];

/** Scenarios. */
// prettier-ignore
const scenarios: readonly BrokenFlight[] = [
  { name: "a scenario that is a table", toml: `${mission}[scenario]\nat = "5 s"\n`, errors: [{ code: "FLIGHT-004", key: "scenario", line: 2, what: "not a list of events", fix: "[[scenario]]" }] },
  { name: "an event that is a number", toml: `${mission}scenario = [3]\n`, errors: [{ code: "FLIGHT-004", key: "scenario[0]", line: 2, what: "3 is not a table", fix: "motorOff" }] },
  { name: "no trigger", toml: event("arm = true"), errors: [{ code: "FLIGHT-017", key: "scenario[0]", line: 2, what: "has no trigger", fix: "at, step, when" }] },
  { name: "two triggers", toml: event('at = "5 s"\nwhen = "altitudeM > 3"\narm = true'), errors: [{ code: "FLIGHT-017", key: "scenario[0]", line: 2, what: "at and when", fix: "one of" }] },
  { name: "no action", toml: event('at = "5 s"'), errors: [{ code: "FLIGHT-018", key: "scenario[0]", line: 2, what: "has no action", fix: "motorOff" }] },
  { name: "two actions", toml: event('at = "5 s"\narm = true\nland = true'), errors: [{ code: "FLIGHT-018", key: "scenario[0]", line: 2, what: "arm and land", fix: "one of" }] },
  { name: "a time without its unit", toml: event("at = 5\narm = true"), errors: [{ code: "FLIGHT-004", key: "scenario[0].at", line: 3, what: "5 is not a time", fix: 'at = "30 s" or atS = 30' }] },
  { name: "a time between microseconds", toml: event('at = "1.5 us"\narm = true'), errors: [{ code: "FLIGHT-011", key: "scenario[0].at", line: 3, what: "not a whole number of microseconds", fix: "nearest" }] },
  { name: "a negative time", toml: event("atS = -2\narm = true"), errors: [{ code: "FLIGHT-005", key: "scenario[0].atS", line: 3, what: "-2 s is too short", fix: "0 or more" }] },
  { name: "a window of zero length", toml: event('at = "5 s"\nforS = 0\ngust = { velNedMps = [1, 0, 0] }'), errors: [{ code: "FLIGHT-005", key: "scenario[0].forS", line: 4, what: "0 s is too short", fix: "1 µs" }] },
  { name: "a window on a request", toml: event('at = "5 s"\nforS = 2\nrtl = true'), errors: [{ code: "FLIGHT-012", key: "scenario[0].forS", line: 4, what: '"rtl" happens once', fix: "leave" }] },
  { name: "a condition's options without a condition", toml: event('at = "5 s"\nholdS = 2\nrepeats = true\nrtl = true'), errors: [{ code: "FLIGHT-012", key: "scenario[0].holdS", line: 4, what: '"holdS" needs a condition', fix: "when" }, { code: "FLIGHT-012", key: "scenario[0].repeats", line: 5, what: '"repeats" needs a condition', fix: "when" }] },
  { name: "an instant to count from, without a condition", toml: event('at = "5 s"\nfrom = "2 s"\nrtl = true'), errors: [{ code: "FLIGHT-012", key: "scenario[0].from", line: 4, what: '"from" needs a condition', fix: "when" }] },
  { name: "two instants to count from", toml: event('when = "armed == 1"\nfrom = "2 s"\nfromS = 2\nrtl = true'), errors: [{ code: "FLIGHT-012", key: "scenario[0].from", line: 4, what: "both from and fromS", fix: "one of them" }] },
  { name: "an event's name that could be a time", toml: event('at = "5 s"\nname = "5 s"\nrtl = true'), errors: [{ code: "FLIGHT-030", key: "scenario[0].name", line: 4, what: '"5 s" is not a name', fix: "motor-out" }] },
  { name: "two events with the same name", toml: event('at = "5 s"\nname = "back"\nrtl = true\n[[scenario]]\nat = "6 s"\nname = "back"\nrtl = true'), errors: [{ code: "FLIGHT-012", key: "scenario[1].name", line: 8, what: '"back" is also the name of scenario[0]', fix: "another" }] },
  { name: "a note that is a number", toml: event('at = "5 s"\nnote = 7\nrtl = true'), errors: [{ code: "FLIGHT-004", key: "scenario[0].note", line: 4, what: "7 is not a text", fix: "note =" }] },
  { name: "a note of two lines", toml: event('at = "5 s"\nnote = "a\\nb"\nrtl = true'), errors: [{ code: "FLIGHT-030", key: "scenario[0].note", line: 4, what: "line break", fix: "one line" }] },
  { name: "a position that is too far away", toml: event('at = "5 s"\ngoto = { posNedM = [0, 1e6, -10] }'), errors: [{ code: "FLIGHT-005", key: "scenario[0].goto.posNedM[1]", line: 4, what: "out of range", fix: "100000" }] },
  { name: "a text that is not a condition", toml: event('when = "altitude is high"\nrtl = true'), errors: [{ code: "FLIGHT-016", key: "scenario[0].when", line: 3, what: "is not a comparison", fix: "altitudeM > 10" }] },
  { name: "a condition on an unknown quantity", toml: event('when = "altitude > 10"\nrtl = true'), errors: [{ code: "FLIGHT-016", key: "scenario[0].when", line: 3, what: '"altitude" is not a quantity', fix: 'did you mean "altitudeM"?' }] },
  { name: "a boundary that is not a number", toml: event("step = -1\nrtl = true"), errors: [{ code: "FLIGHT-007", key: "scenario[0].step", line: 3, what: "-1 is not the number of a boundary", fix: "0 or more" }] },
  { name: "nothing to snap to", toml: event('at = "5 s"\nsnap = "log"\nrtl = true'), errors: [{ code: "FLIGHT-010", key: "scenario[0].snap", line: 4, what: 'an event cannot snap to "log"', fix: "autopilot" }] },
  { name: "a motor that does not exist", toml: event('at = "5 s"\nmotorOff = { motor = 5 }'), errors: [{ code: "FLIGHT-012", key: "scenario[0].motorOff.motor", line: 4, what: "no motor 5", fix: "a motor from 1 to 4" }] },
  { name: "a motor numbered from zero", toml: event('at = "5 s"\nmotorOff = { motor = 0 }'), errors: [{ code: "FLIGHT-005", key: "scenario[0].motorOff.motor", line: 4, what: "0 is out of range", fix: "from 1 to 12" }] },
  { name: "a battery that does not exist", toml: event('at = "5 s"\nbatteryOff = { battery = 3 }'), errors: [{ code: "FLIGHT-012", key: "scenario[0].batteryOff.battery", line: 4, what: "no battery 3", fix: "from 1 to 1" }] },
  { name: "the charge of a vehicle without batteries", toml: 'extends = "mission"\nvehicle = "iris-linear"\n[[scenario]]\nwhen = "batteryRemaining < 0.2"\nrtl = true\n', errors: [{ code: "FLIGHT-012", key: "scenario[0].when", line: 4, what: "the vehicle has no batteries", fix: "batteries" }] },
  { name: "a fault of a sensor that does not exist", toml: event('at = "5 s"\nsensorFault = { sensor = "baro", fault = "stuck" }'), errors: [{ code: "FLIGHT-012", key: "scenario[0].sensorFault.sensor", line: 4, what: "no barometer", fix: "sensors.barometer = true" }] },
  { name: "a fault that an estimator does not have", toml: event('at = "5 s"\nsensorFault = { sensor = "estimator", fault = "drift" }'), errors: [{ code: "FLIGHT-012", key: "scenario[0].sensorFault.fault", line: 4, what: '"drift"', fix: "stuck" }] },
  { name: "a gust without its velocity", toml: event('at = "5 s"\ngust = {}'), errors: [{ code: "FLIGHT-003", key: "scenario[0].gust.velNedMps", line: 4, what: "missing", fix: "3 numbers in m/s" }] },
  { name: "a gust whose ramps never end", toml: event('at = "5 s"\ngust = { velNedMps = [1, 0, 0], shape = "one-minus-cosine" }'), errors: [{ code: "FLIGHT-003", key: "scenario[0].forS", line: 2, what: "needs a window", fix: "forS" }] },
  { name: "an action that is a number", toml: event('at = "5 s"\nmotorOff = 2'), errors: [{ code: "FLIGHT-004", key: "scenario[0].motorOff", line: 4, what: "2 is not a table", fix: "motorOff = { motor = … }" }] },
  { name: "an action without parameters that is a number", toml: event('at = "5 s"\narm = 2'), errors: [{ code: "FLIGHT-004", key: "scenario[0].arm", line: 4, what: "2 is not a table", fix: "arm = true" }] },
  { name: "a wrong time and a motor that does not exist", toml: event('at = "soon"\nmotorOff = { motor = 9 }'), errors: [{ code: "FLIGHT-004", key: "scenario[0].at", line: 3, what: "not a time", fix: "30 s" }, { code: "FLIGHT-012", key: "scenario[0].motorOff.motor", line: 4, what: "no motor 9", fix: "a motor from 1 to 4" }] },
  { name: "an event after a broken one is still checked with its own index", toml: `${event("arm = true")}[[scenario]]\nat = "5 s"\nmotorOff = { motor = 9 }\n`, errors: [{ code: "FLIGHT-017", key: "scenario[0]", line: 2, what: "has no trigger", fix: "at, step, when" }, { code: "FLIGHT-012", key: "scenario[1].motorOff.motor", line: 6, what: "no motor 9", fix: "a motor from 1 to 4" }] },
  { name: "a change of a parameter that does not exist", toml: event('at = "5 s"\nparameter = { name = "MPC_XY_CRUSE", value = 3 }'), errors: [{ code: "AUTOPILOT-001", key: "scenario[0].parameter.name", line: 4, what: "MPC_XY_CRUSE", fix: 'did you mean "MPC_XY_CRUISE"?' }] },
];

export const brokenFlights: readonly BrokenFlight[] = [
  ...values,
  ...times,
  ...names,
  ...vehicles,
  ...extending,
  ...texts,
  ...missions,
  ...scenarios,
];
