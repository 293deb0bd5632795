/**
 * The PX4 messages that a flight can fill: their fields in PX4's order and types, as of PX4 1.17.
 *
 * As in PX4's structs, the fields of a record are sorted by decreasing size, and fields of equal size keep their order.
 * So there is no padding between fields. Padding at the end is not written.
 */
import { invariant } from "@escapement/core";
import type { Cell } from "./cells.ts";

// prettier-ignore
const DECLARATIONS = {
  vehicle_attitude: ["uint64 timestamp", "uint64 timestamp_sample", "float32[4] q", "float32[4] delta_q_reset", "uint8 quat_reset_counter"],
  vehicle_angular_velocity: ["uint64 timestamp", "uint64 timestamp_sample", "float32[3] xyz", "float32[3] xyz_derivative"],
  vehicle_local_position: ["uint64 timestamp", "uint64 timestamp_sample", "bool xy_valid", "bool z_valid", "bool v_xy_valid", "bool v_z_valid", "float32 x", "float32 y", "float32 z", "float32[2] delta_xy", "uint8 xy_reset_counter", "float32 delta_z", "uint8 z_reset_counter", "float32 vx", "float32 vy", "float32 vz", "float32 z_deriv", "float32[2] delta_vxy", "uint8 vxy_reset_counter", "float32 delta_vz", "uint8 vz_reset_counter", "float32 ax", "float32 ay", "float32 az", "float32 heading", "float32 heading_var", "float32 unaided_heading", "float32 delta_heading", "uint8 heading_reset_counter", "bool heading_good_for_control", "float32 tilt_var", "bool xy_global", "bool z_global", "uint64 ref_timestamp", "float64 ref_lat", "float64 ref_lon", "float32 ref_alt", "bool dist_bottom_valid", "float32 dist_bottom", "float32 dist_bottom_var", "float32 delta_dist_bottom", "uint8 dist_bottom_reset_counter", "uint8 dist_bottom_sensor_bitfield", "float32 eph", "float32 epv", "float32 evh", "float32 evv", "bool dead_reckoning", "float32 vxy_max", "float32 vz_max", "float32 hagl_min", "float32 hagl_max_z", "float32 hagl_max_xy"],
  vehicle_global_position: ["uint64 timestamp", "uint64 timestamp_sample", "float64 lat", "float64 lon", "float32 alt", "float32 alt_ellipsoid", "bool lat_lon_valid", "bool alt_valid", "float32 delta_alt", "float32 delta_terrain", "uint8 lat_lon_reset_counter", "uint8 alt_reset_counter", "uint8 terrain_reset_counter", "float32 eph", "float32 epv", "float32 terrain_alt", "bool terrain_alt_valid", "bool dead_reckoning"],
  vehicle_local_position_setpoint: ["uint64 timestamp", "float32 x", "float32 y", "float32 z", "float32 vx", "float32 vy", "float32 vz", "float32[3] acceleration", "float32[3] thrust", "float32 yaw", "float32 yawspeed"],
  trajectory_setpoint: ["uint64 timestamp", "float32[3] position", "float32[3] velocity", "float32[3] acceleration", "float32[3] jerk", "float32 yaw", "float32 yawspeed"],
  vehicle_attitude_setpoint: ["uint64 timestamp", "float32 yaw_sp_move_rate", "float32[4] q_d", "float32[3] thrust_body"],
  vehicle_rates_setpoint: ["uint64 timestamp", "float32 roll", "float32 pitch", "float32 yaw", "float32[3] thrust_body", "bool reset_integral"],
  vehicle_thrust_setpoint: ["uint64 timestamp", "uint64 timestamp_sample", "float32[3] xyz"],
  vehicle_torque_setpoint: ["uint64 timestamp", "uint64 timestamp_sample", "float32[3] xyz"],
  actuator_motors: ["uint64 timestamp", "uint64 timestamp_sample", "uint16 reversible_flags", "float32[12] control"],
  battery_status: ["uint64 timestamp", "bool connected", "float32 voltage_v", "float32 current_a", "float32 current_average_a", "float32 discharged_mah", "float32 remaining", "float32 scale", "float32 time_remaining_s", "float32 temperature", "uint8 cell_count", "uint8 source", "uint8 priority", "uint16 capacity", "uint16 cycle_count", "uint16 average_time_to_empty", "uint16 manufacture_date", "uint16 state_of_health", "uint16 max_error", "uint8 id", "uint16 interface_error", "float32[14] voltage_cell_v", "float32 max_cell_voltage_delta", "bool is_powering_off", "bool is_required", "uint8 warning", "uint16 faults", "float32 full_charge_capacity_wh", "float32 remaining_capacity_wh", "uint16 over_discharge_count", "float32 nominal_voltage", "float32 internal_resistance_estimate", "float32 ocv_estimate", "float32 ocv_estimate_filtered", "float32 volt_based_soc_estimate", "float32 voltage_prediction", "float32 prediction_error", "float32 estimation_covariance_norm"],
  vehicle_status: ["uint64 timestamp", "uint64 armed_time", "uint64 takeoff_time", "uint8 arming_state", "uint8 latest_arming_reason", "uint8 latest_disarming_reason", "uint64 nav_state_timestamp", "uint8 nav_state_user_intention", "uint8 nav_state", "uint8 executor_in_charge", "uint32 valid_nav_states_mask", "uint32 can_set_nav_states_mask", "uint16 failure_detector_status", "uint8 hil_state", "uint8 vehicle_type", "bool failsafe", "bool failsafe_and_user_took_over", "uint8 failsafe_defer_state", "bool gcs_connection_lost", "uint8 gcs_connection_lost_counter", "bool high_latency_data_link_lost", "bool is_vtol", "bool is_vtol_tailsitter", "bool in_transition_mode", "bool in_transition_to_fw", "uint8 system_type", "uint8 system_id", "uint8 component_id", "bool safety_button_available", "bool safety_off", "bool power_input_valid", "bool usb_connected", "bool open_drone_id_system_present", "bool open_drone_id_system_healthy", "bool parachute_system_present", "bool parachute_system_healthy", "bool rc_calibration_in_progress", "bool calibration_enabled", "bool pre_flight_checks_pass"],
  vehicle_land_detected: ["uint64 timestamp", "bool freefall", "bool ground_contact", "bool maybe_landed", "bool landed", "bool in_ground_effect", "bool in_descend", "bool has_low_throttle", "bool vertical_movement", "bool horizontal_movement", "bool rotational_movement", "bool close_to_ground_or_skipped_check", "bool at_rest"],
  takeoff_status: ["uint64 timestamp", "uint8 takeoff_state", "float32 tilt_limit"],
  mission_result: ["uint64 timestamp", "uint32 mission_id", "uint32 geofence_id", "uint32 home_position_counter", "int32 seq_reached", "uint16 seq_current", "uint16 seq_total", "bool valid", "bool warning", "bool finished", "bool failure", "bool item_do_jump_changed", "uint16 item_changed_index", "uint16 item_do_jump_remaining", "uint8 execution_mode"],
  home_position: ["uint64 timestamp", "float64 lat", "float64 lon", "float32 alt", "float32 x", "float32 y", "float32 z", "float32 roll", "float32 pitch", "float32 yaw", "bool valid_alt", "bool valid_hpos", "bool valid_lpos", "bool manual_home", "uint32 update_count"],
  hover_thrust_estimate: ["uint64 timestamp", "uint64 timestamp_sample", "float32 hover_thrust", "float32 hover_thrust_var", "float32 accel_innov", "float32 accel_innov_var", "float32 accel_innov_test_ratio", "float32 accel_noise_var", "bool valid"],
  control_allocator_status: ["uint64 timestamp", "bool torque_setpoint_achieved", "float32[3] unallocated_torque", "bool thrust_setpoint_achieved", "float32[3] unallocated_thrust", "int8[16] actuator_saturation", "uint16 handled_motor_failure_mask", "uint16 motor_stop_mask"],
  sensor_combined: ["uint64 timestamp", "float32[3] gyro_rad", "uint32 gyro_integral_dt", "int32 accelerometer_timestamp_relative", "float32[3] accelerometer_m_s2", "uint32 accelerometer_integral_dt", "uint8 accelerometer_clipping", "uint8 gyro_clipping", "uint8 accel_calibration_count", "uint8 gyro_calibration_count"],
  vehicle_imu_status: ["uint64 timestamp", "uint32 accel_device_id", "uint32 gyro_device_id", "uint32[3] accel_clipping", "uint32[3] gyro_clipping", "uint32 accel_error_count", "uint32 gyro_error_count", "float32 accel_rate_hz", "float32 gyro_rate_hz", "float32 accel_raw_rate_hz", "float32 gyro_raw_rate_hz", "float32 accel_vibration_metric", "float32 gyro_vibration_metric", "float32 delta_angle_coning_metric", "float32[3] mean_accel", "float32[3] mean_gyro", "float32[3] var_accel", "float32[3] var_gyro", "float32 temperature_accel", "float32 temperature_gyro"],
  vehicle_air_data: ["uint64 timestamp", "uint64 timestamp_sample", "uint32 baro_device_id", "float32 baro_alt_meter", "float32 baro_pressure_pa", "float32 ambient_temperature", "uint8 temperature_source", "float32 rho", "uint8 calibration_count"],
  wind: ["uint64 timestamp", "uint64 timestamp_sample", "float32 windspeed_north", "float32 windspeed_east", "float32 variance_north", "float32 variance_east", "float32 tas_innov", "float32 tas_innov_var", "float32 beta_innov", "float32 beta_innov_var"],
} as const;

export type MessageName = keyof typeof DECLARATIONS;
export const MESSAGE_NAMES = Object.keys(DECLARATIONS) as readonly MessageName[];

type FieldText<M extends MessageName> = (typeof DECLARATIONS)[M][number];
type FieldName<M extends MessageName> = FieldText<M> extends `${string} ${infer N}` ? N : never;

/** Sources of the fields of a message; fields not named are zero. */
export type Cells<M extends MessageName> = {
  readonly [F in Exclude<FieldName<M>, "timestamp">]?: Cell | readonly Cell[];
};

/** PX4's element types: their bytes and their names in a ULog. */
export const ELEMENTS = {
  uint64: { bytes: 8, ulog: "uint64_t" },
  int64: { bytes: 8, ulog: "int64_t" },
  float64: { bytes: 8, ulog: "double" },
  uint32: { bytes: 4, ulog: "uint32_t" },
  int32: { bytes: 4, ulog: "int32_t" },
  float32: { bytes: 4, ulog: "float" },
  uint16: { bytes: 2, ulog: "uint16_t" },
  int16: { bytes: 2, ulog: "int16_t" },
  uint8: { bytes: 1, ulog: "uint8_t" },
  int8: { bytes: 1, ulog: "int8_t" },
  bool: { bytes: 1, ulog: "bool" },
  char: { bytes: 1, ulog: "char" },
} as const;
export type Element = keyof typeof ELEMENTS;

interface Field {
  readonly name: string;
  readonly element: Element;
  readonly offset: number;
  /** Array length; 0 for a plain value. */
  readonly count: number;
}

interface MessageLayout {
  readonly fields: readonly Field[];
  /** Size without padding at the end. */
  readonly size: number;
}

export function layoutOf(message: MessageName): MessageLayout {
  const declared = DECLARATIONS[message].map((text) => {
    const match = /^([a-z]+\d*)(?:\[(\d+)\])? (\w+)$/.exec(text);
    invariant(
      match !== null && Object.hasOwn(ELEMENTS, match[1]!),
      `field "${text}" of ${message} is not a declaration`,
    );
    return { name: match[3]!, element: match[1] as Element, count: Number(match[2] ?? 0) };
  });
  const fields: Field[] = [];
  let offset = 0;
  for (const field of declared.sort((a, b) => ELEMENTS[b.element].bytes - ELEMENTS[a.element].bytes)) {
    fields.push({ ...field, offset });
    offset += ELEMENTS[field.element].bytes * Math.max(1, field.count);
  }
  return { fields, size: offset };
}

/** Returns the text of a format message, such as `name:uint64_t timestamp;float[4] q;`. */
export function formatText(topic: string, layout: MessageLayout): string {
  const fields = layout.fields.map(
    ({ name, element, count }) => `${ELEMENTS[element].ulog}${count > 0 ? `[${count}]` : ""} ${name};`,
  );
  return `${topic}:${fields.join("")}`;
}
