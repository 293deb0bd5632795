/**
 * Maps our columns to PX4's fields. It determines which of PX4's topics a flight fills, and from which columns.
 *
 * A topic is left out if the flight lacks a column that the topic needs. A sensor's topic has no records until the
 * sensor has reported. Values that PX4 marks with NaN (a setpoint that is not commanded, a temperature that is not
 * measured) are NaN here too, because readers of these topics expect NaN. Our own signals are never NaN. Fields that
 * are not named are zero.
 */
import { type Column, SETPOINT_BITS, SIGNALS, type WorldOrigin } from "@escapement/core";
import { cellIfCommanded, Finder, nan, now, one, lastChangeUs, type Cell } from "./cells.ts";
import type { MessageName } from "./messages.ts";
import { allValid, globalPosition, localPosition } from "./positions.ts";
import { addSensors } from "./sensor-topics.ts";
import type { Add, Entry } from "./topic-entry.ts";

export interface Topic {
  /** Name in the file; by default the name of the message. */
  readonly name: string;
  readonly message: MessageName;
  readonly instance: number;
  /** Minimum time between two records. */
  readonly everyUs: number;
  /**
   * Also write a record as soon as anything but the time changes; `everyUs` is then the maximum time between records.
   */
  readonly onChange: boolean;
  readonly fields: ReadonlyMap<string, readonly Cell[]>;
  /** Records are written only while this is not zero. */
  readonly when: Cell | undefined;
}

const LAND = SIGNALS.landDetected.values;
const ARMED = 2;
const DISARMED = 1;
const ROTARY_WING = 1;
/** MAV_TYPE by number of rotors: tri, quad, hexa, octo, dodeca. Any other number is reported as a quad. */
const SYSTEM_TYPES: { readonly [rotors: number]: number } = { 3: 15, 4: 2, 6: 13, 8: 14, 12: 29 };

/** Position of the flight on the Earth. */
export interface GeoReference {
  readonly origin: WorldOrigin;
  /** Name of the projection between the flight's metres and degrees; PX4's own if absent. */
  readonly projection?: string;
}

/** Returns the topics of a flight with these columns. Without a geographic reference there is no global position. */
export function topicsOf(columns: readonly Column[], geoReference: GeoReference | undefined): Topic[] {
  const topics: Topic[] = [];
  const add = <M extends MessageName>(make: (from: Finder) => Entry<M> | readonly Entry<M>[]) => {
    const finder = new Finder(columns);
    const made = make(finder);
    if (finder.isMissing) return;
    const entries = Array.isArray(made) ? (made as readonly Entry<M>[]) : [made as Entry<M>];
    entries.forEach((entry, instance) => topics.push(topicOf(entry, instance)));
  };
  addMotion(add, geoReference);
  addReported(add, geoReference?.origin);
  addSetpoints(add);
  addActuators(add);
  addBatteries(add);
  addStatus(add);
  addProgress(add, geoReference?.origin);
  addSensors(add);
  return topics;
}

function topicOf<M extends MessageName>(entry: Entry<M>, instance: number): Topic {
  const { message, topic, everyUs = 0, onChange = false, when, fields } = entry;
  const cells = new Map<string, readonly Cell[]>([["timestamp", [now]]]);
  for (const [name, cell] of Object.entries(fields) as [string, Cell | readonly Cell[]][]) {
    cells.set(name, typeof cell === "function" ? [cell] : cell);
  }
  return { name: topic ?? message, message, instance, everyUs, onChange, fields: cells, when };
}

function addMotion(add: Add, geoReference: GeoReference | undefined): void {
  const origin = geoReference?.origin;
  add((from) => ({ message: "vehicle_attitude", fields: { timestamp_sample: now, q: from.signal("estQBodyToNed") } }));
  add((from) => ({
    message: "vehicle_attitude",
    topic: "vehicle_attitude_groundtruth",
    fields: { timestamp_sample: now, q: from.state("qBodyToNed", "estQBodyToNed") },
  }));
  add((from) => ({
    message: "vehicle_angular_velocity",
    fields: { timestamp_sample: now, xyz: from.signal("estRateBody"), xyz_derivative: from.signal("estRateDotBody") },
  }));
  add((from) => ({
    message: "vehicle_angular_velocity",
    topic: "vehicle_angular_velocity_groundtruth",
    fields: {
      timestamp_sample: now,
      xyz: from.state("rateBody", "estRateBody"),
      xyz_derivative: from.signal("rateDotBody"),
    },
  }));
  add((from) => ({
    message: "vehicle_local_position",
    fields: localPosition(
      from.signal("estPosNed"),
      from.signal("estVelNed"),
      from.signal("estAccNed"),
      from.signal("estQBodyToNed"),
      from.oneOrInitial("estValid"),
      origin,
    ),
  }));
  add((from) => ({
    message: "vehicle_local_position",
    topic: "vehicle_local_position_groundtruth",
    fields: localPosition(
      from.state("posNed", "estPosNed"),
      from.state("velNed", "estVelNed"),
      from.signal("accNed"),
      from.state("qBodyToNed", "estQBodyToNed"),
      allValid,
      origin,
    ),
  }));
  if (geoReference === undefined) return;
  // The estimate uses PX4's projection, as in PX4; the truth uses the world's.
  add((from) => ({
    message: "vehicle_global_position",
    fields: globalPosition(from.signal("estPosNed"), from.oneOrInitial("estValid"), { origin: geoReference.origin }),
  }));
  add((from) => ({
    message: "vehicle_global_position",
    topic: "vehicle_global_position_groundtruth",
    fields: globalPosition(from.state("posNed", "estPosNed"), allValid, geoReference),
  }));
}

/** Adds the estimate of PX4's own estimator, as the topics of one estimator instance. */
function addReported(add: Add, origin: WorldOrigin | undefined): void {
  add((from) => ({
    message: "vehicle_attitude",
    topic: "estimator_attitude",
    when: from.other("px4EstimateValid", "flag"),
    fields: { timestamp_sample: now, q: from.state("px4QBodyToNed", "estQBodyToNed") },
  }));
  add((from) => ({
    message: "vehicle_local_position",
    topic: "estimator_local_position",
    when: from.other("px4EstimateValid", "flag"),
    fields: localPosition(
      from.state("px4PosNed", "estPosNed"),
      from.state("px4VelNed", "estVelNed"),
      [nan, nan, nan],
      from.state("px4QBodyToNed", "estQBodyToNed"),
      allValid,
      origin,
    ),
  }));
}

function addSetpoints(add: Add): void {
  const setpoint = (from: Finder) => {
    const mask = from.one("setpointValid");
    const [x, y, z] = from.signal("setPosNed") as [Cell, Cell, Cell];
    const [vx, vy, vz] = from.signal("setVelNed") as [Cell, Cell, Cell];
    return {
      mask,
      position: [
        cellIfCommanded(x, mask, SETPOINT_BITS.posXy),
        cellIfCommanded(y, mask, SETPOINT_BITS.posXy),
        cellIfCommanded(z, mask, SETPOINT_BITS.posZ),
      ] as const,
      velocity: [
        cellIfCommanded(vx, mask, SETPOINT_BITS.velXy),
        cellIfCommanded(vy, mask, SETPOINT_BITS.velXy),
        cellIfCommanded(vz, mask, SETPOINT_BITS.velZ),
      ] as const,
      acceleration: from.signal("setAccNed").map((cell) => cellIfCommanded(cell, mask, SETPOINT_BITS.acc)),
      yaw: cellIfCommanded(from.one("setYaw"), mask, SETPOINT_BITS.yaw),
      yawspeed: cellIfCommanded(from.one("setYawRate"), mask, SETPOINT_BITS.yawRate),
    };
  };
  add((from) => {
    const { position, velocity, acceleration, yaw, yawspeed } = setpoint(from);
    const jerk = [nan, nan, nan];
    return { message: "trajectory_setpoint", fields: { position, velocity, acceleration, jerk, yaw, yawspeed } };
  });
  add((from) => {
    const { position, velocity, acceleration, yaw, yawspeed } = setpoint(from);
    const [x, y, z] = position;
    const [vx, vy, vz] = velocity;
    const thrust = from.signal("setThrustBody");
    return {
      message: "vehicle_local_position_setpoint",
      fields: { x, y, z, vx, vy, vz, acceleration, thrust, yaw, yawspeed },
    };
  });
  add((from) => {
    const { mask } = setpoint(from);
    return {
      message: "vehicle_attitude_setpoint",
      when: (row, stampUs) => mask(row, stampUs) & SETPOINT_BITS.attitude,
      fields: {
        q_d: from.signal("setQBodyToNed"),
        thrust_body: from.signal("setThrustBody"),
        yaw_sp_move_rate: from.one("setYawRate"),
      },
    };
  });
  add((from) => {
    const { mask } = setpoint(from);
    const [roll, pitch, yaw] = from.signal("setRateBody") as [Cell, Cell, Cell];
    return {
      message: "vehicle_rates_setpoint",
      when: (row, stampUs) => mask(row, stampUs) & SETPOINT_BITS.rates,
      fields: { roll, pitch, yaw, thrust_body: from.signal("setThrustBody") },
    };
  });
}

function addActuators(add: Add): void {
  add((from) => ({
    message: "vehicle_thrust_setpoint",
    fields: { timestamp_sample: now, xyz: from.signal("setThrustBody") },
  }));
  add((from) => ({
    message: "vehicle_torque_setpoint",
    fields: { timestamp_sample: now, xyz: from.signal("setTorqueBody") },
  }));
  add((from) => {
    // PX4 reports NaN for channels that drive no rotor.
    const rotors = from.count("rotorThrust");
    const control = from.signal("motorCommand").map((cell, i) => (i < rotors ? cell : nan));
    return { message: "actuator_motors", fields: { timestamp_sample: now, control } };
  });
  add((from) => {
    const [roll, pitch, yaw, thrust] = from.signal("unallocated") as [Cell, Cell, Cell, Cell];
    const isZero =
      (cells: readonly Cell[]): Cell =>
      (row, stampUs) =>
        cells.every((cell) => cell(row, stampUs) === 0) ? 1 : 0;
    const none: Cell = () => 0;
    return {
      message: "control_allocator_status",
      everyUs: 200_000,
      fields: {
        torque_setpoint_achieved: isZero([roll, pitch, yaw]),
        unallocated_torque: [roll, pitch, yaw],
        thrust_setpoint_achieved: isZero([thrust]),
        unallocated_thrust: [none, none, thrust],
      },
    };
  });
}

function addBatteries(add: Add): void {
  add((from) => {
    const voltages = from.signal("batteryVoltage");
    const [currents, remaining, warnings, connected] = [
      from.signal("batteryCurrent"),
      from.signal("batteryRemaining"),
      from.signal("batteryWarning"),
      from.signal("batteryConnected"),
    ];
    return voltages.map((voltage_v, i) => ({
      message: "battery_status" as const,
      everyUs: 200_000,
      fields: {
        voltage_v,
        current_a: currents[i] ?? nan,
        current_average_a: currents[i] ?? nan,
        remaining: remaining[i] ?? nan,
        connected: connected[i] ?? one,
        warning: warnings[i] ?? nan,
        id: () => i + 1,
        scale: one,
        time_remaining_s: nan,
        temperature: nan,
        is_required: one,
      },
    }));
  });
}

function addStatus(add: Add): void {
  add((from) => {
    const [armed, navState, failsafe] = [from.one("armed"), from.one("navState"), from.one("failsafe")];
    const landed = from.one("landDetected");
    const systemType = SYSTEM_TYPES[from.signal("rotorThrust").length] ?? SYSTEM_TYPES[4]!;
    return {
      message: "vehicle_status",
      everyUs: 500_000,
      onChange: true,
      fields: {
        arming_state: (row, stampUs) => (armed(row, stampUs) === SIGNALS.armed.values.armed ? ARMED : DISARMED),
        nav_state: navState,
        nav_state_user_intention: navState,
        armed_time: lastChangeUs(armed, (value) => value === SIGNALS.armed.values.armed),
        takeoff_time: lastChangeUs(landed, (value, before) => value === LAND["in the air"] && before > value),
        nav_state_timestamp: lastChangeUs(navState, () => true),
        failsafe: (row, stampUs) => (failsafe(row, stampUs) !== SIGNALS.failsafe.values.none ? 1 : 0),
        vehicle_type: () => ROTARY_WING,
        system_type: () => systemType,
        system_id: one,
        component_id: one,
        power_input_valid: one,
        pre_flight_checks_pass: one,
      },
    };
  });
  add((from) => {
    const state = from.one("landDetected");
    const atLeast =
      (stage: number): Cell =>
      (row, stampUs) =>
        state(row, stampUs) >= stage ? 1 : 0;
    return {
      message: "vehicle_land_detected",
      everyUs: 1_000_000,
      onChange: true,
      fields: {
        ground_contact: atLeast(LAND["ground contact"]),
        maybe_landed: atLeast(LAND["maybe landed"]),
        landed: atLeast(LAND.landed),
        at_rest: atLeast(LAND.landed),
      },
    };
  });
}

function addProgress(add: Add, origin: WorldOrigin | undefined): void {
  add((from) => ({
    message: "takeoff_status",
    everyUs: 1_000_000,
    onChange: true,
    fields: { takeoff_state: from.one("takeoffState"), tilt_limit: nan },
  }));
  add((from) => {
    const count = from.one("missionCount");
    return {
      message: "mission_result",
      everyUs: 1_000_000,
      onChange: true,
      fields: {
        mission_id: one,
        seq_reached: from.one("missionReached"),
        seq_current: from.one("missionIndex"),
        seq_total: count,
        valid: (row, stampUs) => (count(row, stampUs) > 0 ? 1 : 0),
        finished: from.one("missionFinished"),
      },
    };
  });
  if (origin === undefined) return;
  add(() => ({
    message: "home_position",
    everyUs: Infinity,
    fields: {
      lat: () => origin.latDeg,
      lon: () => origin.lonDeg,
      alt: () => origin.altMslM,
      valid_alt: one,
      valid_hpos: one,
      valid_lpos: one,
      update_count: one,
    },
  }));
}
