/**
 * Declarations of the uORB messages that this bridge writes or reads. The layouts of the messages are derived from the
 * declarations.
 *
 * The declarations match PX4 1.17 and `main` shortly after it. At run time a declaration is used only if the loaded
 * library reports the same hash. For a different PX4, its own `.msg` files are used. Fields are in declaration order,
 * because the hash depends on it.
 */
import { parseField } from "./definition.ts";
import type { Element, MessageDeclaration } from "./definition.ts";
import { layoutOf } from "./layout.ts";
import type { TopicLayout } from "./layout.ts";

// prettier-ignore
const TABLE = {
  battery_status: ["uint64 timestamp", "bool connected", "float32 voltage_v", "float32 current_a", "float32 current_average_a", "float32 discharged_mah", "float32 remaining", "float32 scale", "float32 time_remaining_s", "float32 temperature", "uint8 cell_count", "uint8 source", "uint8 priority", "uint16 capacity", "uint16 cycle_count", "uint16 average_time_to_empty", "uint16 manufacture_date", "uint16 state_of_health", "uint16 max_error", "uint8 id", "uint16 interface_error", "float32[14] voltage_cell_v", "float32 max_cell_voltage_delta", "bool is_powering_off", "bool is_required", "uint8 warning", "uint16 faults", "float32 full_charge_capacity_wh", "float32 remaining_capacity_wh", "uint16 over_discharge_count", "float32 nominal_voltage", "float32 internal_resistance_estimate", "float32 ocv_estimate", "float32 ocv_estimate_filtered", "float32 volt_based_soc_estimate", "float32 voltage_prediction", "float32 prediction_error", "float32 estimation_covariance_norm"],
  vehicle_attitude: ["uint64 timestamp", "uint64 timestamp_sample", "float32[4] q", "float32[4] delta_q_reset", "uint8 quat_reset_counter"],
  vehicle_local_position: ["uint64 timestamp", "uint64 timestamp_sample", "bool xy_valid", "bool z_valid", "bool v_xy_valid", "bool v_z_valid", "float32 x", "float32 y", "float32 z", "float32[2] delta_xy", "uint8 xy_reset_counter", "float32 delta_z", "uint8 z_reset_counter", "float32 vx", "float32 vy", "float32 vz", "float32 z_deriv", "float32[2] delta_vxy", "uint8 vxy_reset_counter", "float32 delta_vz", "uint8 vz_reset_counter", "float32 ax", "float32 ay", "float32 az", "float32 heading", "float32 heading_var", "float32 unaided_heading", "float32 delta_heading", "uint8 heading_reset_counter", "bool heading_good_for_control", "float32 tilt_var", "bool xy_global", "bool z_global", "uint64 ref_timestamp", "float64 ref_lat", "float64 ref_lon", "float32 ref_alt", "bool dist_bottom_valid", "float32 dist_bottom", "float32 dist_bottom_var", "float32 delta_dist_bottom", "uint8 dist_bottom_reset_counter", "uint8 dist_bottom_sensor_bitfield", "float32 eph", "float32 epv", "float32 evh", "float32 evv", "bool dead_reckoning", "float32 vxy_max", "float32 vz_max", "float32 hagl_min", "float32 hagl_max_z", "float32 hagl_max_xy"],
  vehicle_global_position: ["uint64 timestamp", "uint64 timestamp_sample", "float64 lat", "float64 lon", "float32 alt", "float32 alt_ellipsoid", "bool lat_lon_valid", "bool alt_valid", "float32 delta_alt", "float32 delta_terrain", "uint8 lat_lon_reset_counter", "uint8 alt_reset_counter", "uint8 terrain_reset_counter", "float32 eph", "float32 epv", "float32 terrain_alt", "bool terrain_alt_valid", "bool dead_reckoning"],
  vehicle_angular_velocity: ["uint64 timestamp", "uint64 timestamp_sample", "float32[3] xyz", "float32[3] xyz_derivative"],
  vehicle_land_detected: ["uint64 timestamp", "bool freefall", "bool ground_contact", "bool maybe_landed", "bool landed", "bool in_ground_effect", "bool in_descend", "bool has_low_throttle", "bool vertical_movement", "bool horizontal_movement", "bool rotational_movement", "bool close_to_ground_or_skipped_check", "bool at_rest"],
  vehicle_status: ["uint64 timestamp", "uint64 armed_time", "uint64 takeoff_time", "uint8 arming_state", "uint8 latest_arming_reason", "uint8 latest_disarming_reason", "uint64 nav_state_timestamp", "uint8 nav_state_user_intention", "uint8 nav_state", "uint8 executor_in_charge", "uint32 valid_nav_states_mask", "uint32 can_set_nav_states_mask", "uint16 failure_detector_status", "uint8 hil_state", "uint8 vehicle_type", "bool failsafe", "bool failsafe_and_user_took_over", "uint8 failsafe_defer_state", "bool gcs_connection_lost", "uint8 gcs_connection_lost_counter", "bool high_latency_data_link_lost", "bool is_vtol", "bool is_vtol_tailsitter", "bool in_transition_mode", "bool in_transition_to_fw", "uint8 system_type", "uint8 system_id", "uint8 component_id", "bool safety_button_available", "bool safety_off", "bool power_input_valid", "bool usb_connected", "bool open_drone_id_system_present", "bool open_drone_id_system_healthy", "bool parachute_system_present", "bool parachute_system_healthy", "bool rc_calibration_in_progress", "bool calibration_enabled", "bool pre_flight_checks_pass"],
  vehicle_control_mode: ["uint64 timestamp", "bool flag_armed", "bool flag_multicopter_position_control_enabled", "bool flag_control_manual_enabled", "bool flag_control_auto_enabled", "bool flag_control_offboard_enabled", "bool flag_control_position_enabled", "bool flag_control_velocity_enabled", "bool flag_control_altitude_enabled", "bool flag_control_climb_rate_enabled", "bool flag_control_acceleration_enabled", "bool flag_control_attitude_enabled", "bool flag_control_rates_enabled", "bool flag_control_allocation_enabled", "bool flag_control_termination_enabled", "uint8 source_id"],
  actuator_armed: ["uint64 timestamp", "bool armed", "bool prearmed", "bool ready_to_arm", "bool lockdown", "bool kill", "bool termination", "bool in_esc_calibration_mode"],
  home_position: ["uint64 timestamp", "float64 lat", "float64 lon", "float32 alt", "float32 x", "float32 y", "float32 z", "float32 roll", "float32 pitch", "float32 yaw", "bool valid_alt", "bool valid_hpos", "bool valid_lpos", "bool manual_home", "uint32 update_count"],
  vehicle_torque_setpoint: ["uint64 timestamp", "uint64 timestamp_sample", "float32[3] xyz"],
  vehicle_thrust_setpoint: ["uint64 timestamp", "uint64 timestamp_sample", "float32[3] xyz"],
  actuator_motors: ["uint64 timestamp", "uint64 timestamp_sample", "uint16 reversible_flags", "float32[12] control"],
  actuator_servos: ["uint64 timestamp", "uint64 timestamp_sample", "float32[8] control"],
  vehicle_attitude_setpoint: ["uint64 timestamp", "float32 yaw_sp_move_rate", "float32[4] q_d", "float32[3] thrust_body"],
  vehicle_rates_setpoint: ["uint64 timestamp", "float32 roll", "float32 pitch", "float32 yaw", "float32[3] thrust_body", "bool reset_integral"],
  mission_result: ["uint64 timestamp", "uint32 mission_id", "uint32 geofence_id", "uint32 home_position_counter", "int32 seq_reached", "uint16 seq_current", "uint16 seq_total", "bool valid", "bool warning", "bool finished", "bool failure", "bool item_do_jump_changed", "uint16 item_changed_index", "uint16 item_do_jump_remaining", "uint8 execution_mode"],
  trajectory_setpoint: ["uint64 timestamp", "float32[3] position", "float32[3] velocity", "float32[3] acceleration", "float32[3] jerk", "float32 yaw", "float32 yawspeed"],
  geofence_status: ["uint64 timestamp", "uint32 geofence_id", "uint8 status"],
  takeoff_status: ["uint64 timestamp", "uint8 takeoff_state", "float32 tilt_limit"],
  hover_thrust_estimate: ["uint64 timestamp", "uint64 timestamp_sample", "float32 hover_thrust", "float32 hover_thrust_var", "float32 accel_innov", "float32 accel_innov_var", "float32 accel_innov_test_ratio", "float32 accel_noise_var", "bool valid"],
  vehicle_local_position_setpoint: ["uint64 timestamp", "float32 x", "float32 y", "float32 z", "float32 vx", "float32 vy", "float32 vz", "float32[3] acceleration", "float32[3] thrust", "float32 yaw", "float32 yawspeed"],
  position_setpoint: ["uint64 timestamp", "bool valid", "uint8 type", "float32 vx", "float32 vy", "float32 vz", "float64 lat", "float64 lon", "float32 alt", "float32 yaw", "float32 loiter_radius", "float32 loiter_minor_radius", "bool loiter_direction_counter_clockwise", "float32 loiter_orientation", "uint8 loiter_pattern", "float32 acceptance_radius", "float32 alt_acceptance_radius", "float32 cruising_speed", "bool gliding_enabled", "float32 cruising_throttle"],
  position_setpoint_triplet: ["uint64 timestamp", "PositionSetpoint previous", "PositionSetpoint current", "PositionSetpoint next"],
  control_allocator_status: ["uint64 timestamp", "bool torque_setpoint_achieved", "float32[3] unallocated_torque", "bool thrust_setpoint_achieved", "float32[3] unallocated_thrust", "int8[16] actuator_saturation", "uint16 handled_motor_failure_mask", "uint16 motor_stop_mask"],
  rate_ctrl_status: ["uint64 timestamp", "float32 rollspeed_integ", "float32 pitchspeed_integ", "float32 yawspeed_integ"],
  vehicle_command: ["uint64 timestamp", "float32 param1", "float32 param2", "float32 param3", "float32 param4", "float64 param5", "float64 param6", "float32 param7", "uint32 command", "uint8 target_system", "uint8 target_component", "uint8 source_system", "uint16 source_component", "uint8 confirmation", "bool from_external"],
  vehicle_command_ack: ["uint64 timestamp", "uint32 command", "uint8 result", "uint8 result_param1", "int32 result_param2", "uint8 target_system", "uint16 target_component", "bool from_external"],
  manual_control_setpoint: ["uint64 timestamp", "uint64 timestamp_sample", "bool valid", "uint8 data_source", "float32 roll", "float32 pitch", "float32 yaw", "float32 throttle", "float32 flaps", "float32 aux1", "float32 aux2", "float32 aux3", "float32 aux4", "float32 aux5", "float32 aux6", "bool sticks_moving", "uint16 buttons"],
  mission: ["uint64 timestamp", "uint8 mission_dataman_id", "uint8 fence_dataman_id", "uint8 safepoint_dataman_id", "uint16 count", "int32 current_seq", "int32 land_start_index", "int32 land_index", "uint32 mission_id", "uint32 geofence_id", "uint32 safe_points_id"],
  parameter_update: ["uint64 timestamp", "uint32 instance", "uint32 get_count", "uint32 set_count", "uint32 find_count", "uint32 export_count", "uint16 active", "uint16 changed", "uint16 custom_default"],
  navigator_mission_item: ["uint64 timestamp", "uint16 sequence_current", "uint16 nav_cmd", "float32 latitude", "float32 longitude", "float32 time_inside", "float32 acceptance_radius", "float32 loiter_radius", "float32 yaw", "float32 altitude", "uint8 frame", "uint8 origin", "bool loiter_exit_xtrack", "bool force_heading", "bool altitude_is_relative", "bool autocontinue", "bool vtol_back_transition"],
  navigator_status: ["uint64 timestamp", "uint8 nav_state", "uint8 failure"],
  rtl_status: ["uint64 timestamp", "uint32 safe_points_id", "bool is_evaluation_pending", "bool has_vtol_approach", "uint8 rtl_type", "uint8 safe_point_index"],
  failure_detector_status: ["uint64 timestamp", "bool fd_roll", "bool fd_pitch", "bool fd_alt", "bool fd_ext", "bool fd_arm_escs", "bool fd_battery", "bool fd_imbalanced_prop", "bool fd_motor", "float32 imbalanced_prop_metric", "uint16 motor_failure_mask", "uint16 motor_stop_mask"],
  offboard_control_mode: ["uint64 timestamp", "bool position", "bool velocity", "bool acceleration", "bool attitude", "bool body_rate", "bool thrust_and_torque", "bool direct_actuator"],
  vehicle_constraints: ["uint64 timestamp", "float32 speed_up", "float32 speed_down", "bool want_takeoff"],
  vehicle_acceleration: ["uint64 timestamp", "uint64 timestamp_sample", "float32[3] xyz"],
  sensor_combined: ["uint64 timestamp", "float32[3] gyro_rad", "uint32 gyro_integral_dt", "int32 accelerometer_timestamp_relative", "float32[3] accelerometer_m_s2", "uint32 accelerometer_integral_dt", "uint8 accelerometer_clipping", "uint8 gyro_clipping", "uint8 accel_calibration_count", "uint8 gyro_calibration_count"],
  vehicle_imu_status: ["uint64 timestamp", "uint32 accel_device_id", "uint32 gyro_device_id", "uint32[3] accel_clipping", "uint32[3] gyro_clipping", "uint32 accel_error_count", "uint32 gyro_error_count", "float32 accel_rate_hz", "float32 gyro_rate_hz", "float32 accel_raw_rate_hz", "float32 gyro_raw_rate_hz", "float32 accel_vibration_metric", "float32 gyro_vibration_metric", "float32 delta_angle_coning_metric", "float32[3] mean_accel", "float32[3] mean_gyro", "float32[3] var_accel", "float32[3] var_gyro", "float32 temperature_accel", "float32 temperature_gyro"],
  vehicle_air_data: ["uint64 timestamp", "uint64 timestamp_sample", "uint32 baro_device_id", "float32 baro_alt_meter", "float32 baro_pressure_pa", "float32 ambient_temperature", "uint8 temperature_source", "float32 rho", "uint8 calibration_count"],
  distance_sensor: ["uint64 timestamp", "uint32 device_id", "float32 min_distance", "float32 max_distance", "float32 current_distance", "float32 variance", "int8 signal_quality", "uint8 type", "float32 h_fov", "float32 v_fov", "float32[4] q", "uint8 orientation", "uint8 mode"],
  mavlink_log: ["uint64 timestamp", "char[127] text", "uint8 severity"],
  wind: ["uint64 timestamp", "uint64 timestamp_sample", "float32 windspeed_north", "float32 windspeed_east", "float32 variance_north", "float32 variance_east", "float32 tas_innov", "float32 tas_innov_var", "float32 beta_innov", "float32 beta_innov_var"],
} as const;

/** Queue lengths other than 1. */
const QUEUES: { readonly [topic: string]: number } = { vehicle_command: 8, vehicle_command_ack: 8, mavlink_log: 8 };

type Table = typeof TABLE;
/** A topic that the table declares. */
export type KnownTopic = keyof Table;

type ElementOf<F extends string> = F extends `${infer T extends Element}[${number}] ${string}`
  ? T
  : F extends `${infer T extends Element} ${string}`
    ? T
    : never;
type NameOf<F extends string> = F extends `${string} ${infer N}` ? N : never;

/** Names of the plain fields (not nested messages) of a topic. */
export type FieldOf<T extends KnownTopic> = NameOf<Extract<Table[T][number], `${Element}${string}`>>;
/** Element type of a field, known at compile time. */
export type ElementOfField<T extends KnownTopic, N extends FieldOf<T>> = {
  [F in Table[T][number]]: NameOf<F> extends N ? ElementOf<F> : never;
}[Table[T][number]];

export const KNOWN_TOPICS = Object.keys(TABLE) as readonly KnownTopic[];

const declarations = new Map<string, MessageDeclaration>();
for (const topic of KNOWN_TOPICS) {
  const name = camelCase(topic);
  const fields = TABLE[topic].map((text) => parseField(text)!);
  declarations.set(name, { name, topics: [topic], fields, queueLength: QUEUES[topic] ?? 1 });
}

/** Returns the layout of a topic according to the table. */
export function knownLayout(topic: KnownTopic): TopicLayout {
  return layoutOf(declarations.get(camelCase(topic))!, topic, (name) => declarations.get(name));
}

function camelCase(topic: string): string {
  return topic
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
