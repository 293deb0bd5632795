/**
 * The MAVLink messages that this bridge sends or receives: id, fields in the order of MAVLink's own definitions, and
 * extension fields.
 *
 * Version 1 of the protocol has no extension fields. Everything else (wire order, lengths, `crc_extra`) is derived from
 * this table. Tests compare it with the published numbers and, byte for byte, with an independent implementation.
 */
import { defineDialect } from "./message.ts";

// prettier-ignore
export const MESSAGES = defineDialect({
  HEARTBEAT: [0, { type: "u8", autopilot: "u8", base_mode: "u8", custom_mode: "u32", system_status: "u8", mavlink_version: "u8" }],
  SYS_STATUS: [1, { onboard_control_sensors_present: "u32", onboard_control_sensors_enabled: "u32", onboard_control_sensors_health: "u32", load: "u16", voltage_battery: "u16", current_battery: "i16", battery_remaining: "i8", drop_rate_comm: "u16", errors_comm: "u16", errors_count1: "u16", errors_count2: "u16", errors_count3: "u16", errors_count4: "u16" }, { onboard_control_sensors_present_extended: "u32", onboard_control_sensors_enabled_extended: "u32", onboard_control_sensors_health_extended: "u32" }],
  SYSTEM_TIME: [2, { time_unix_usec: "u64", time_boot_ms: "u32" }],
  PING: [4, { time_usec: "u64", seq: "u32", target_system: "u8", target_component: "u8" }],
  SET_MODE: [11, { target_system: "u8", base_mode: "u8", custom_mode: "u32" }],
  PARAM_REQUEST_READ: [20, { target_system: "u8", target_component: "u8", param_id: "char[16]", param_index: "i16" }],
  PARAM_REQUEST_LIST: [21, { target_system: "u8", target_component: "u8" }],
  PARAM_VALUE: [22, { param_id: "char[16]", param_value: "f32", param_type: "u8", param_count: "u16", param_index: "u16" }],
  PARAM_SET: [23, { target_system: "u8", target_component: "u8", param_id: "char[16]", param_value: "f32", param_type: "u8" }],
  GPS_RAW_INT: [24, { time_usec: "u64", fix_type: "u8", lat: "i32", lon: "i32", alt: "i32", eph: "u16", epv: "u16", vel: "u16", cog: "u16", satellites_visible: "u8" }, { alt_ellipsoid: "i32", h_acc: "u32", v_acc: "u32", vel_acc: "u32", hdg_acc: "u32", yaw: "u16" }],
  ATTITUDE: [30, { time_boot_ms: "u32", roll: "f32", pitch: "f32", yaw: "f32", rollspeed: "f32", pitchspeed: "f32", yawspeed: "f32" }],
  ATTITUDE_QUATERNION: [31, { time_boot_ms: "u32", q1: "f32", q2: "f32", q3: "f32", q4: "f32", rollspeed: "f32", pitchspeed: "f32", yawspeed: "f32" }, { repr_offset_q: "f32[4]" }],
  LOCAL_POSITION_NED: [32, { time_boot_ms: "u32", x: "f32", y: "f32", z: "f32", vx: "f32", vy: "f32", vz: "f32" }],
  GLOBAL_POSITION_INT: [33, { time_boot_ms: "u32", lat: "i32", lon: "i32", alt: "i32", relative_alt: "i32", vx: "i16", vy: "i16", vz: "i16", hdg: "u16" }],
  SERVO_OUTPUT_RAW: [36, { time_usec: "u32", port: "u8", servo1_raw: "u16", servo2_raw: "u16", servo3_raw: "u16", servo4_raw: "u16", servo5_raw: "u16", servo6_raw: "u16", servo7_raw: "u16", servo8_raw: "u16" }, { servo9_raw: "u16", servo10_raw: "u16", servo11_raw: "u16", servo12_raw: "u16", servo13_raw: "u16", servo14_raw: "u16", servo15_raw: "u16", servo16_raw: "u16" }],
  MISSION_REQUEST: [40, { target_system: "u8", target_component: "u8", seq: "u16" }, { mission_type: "u8" }],
  MISSION_CURRENT: [42, { seq: "u16" }, { total: "u16", mission_state: "u8", mission_mode: "u8", mission_id: "u32", fence_id: "u32", rally_points_id: "u32" }],
  MISSION_REQUEST_LIST: [43, { target_system: "u8", target_component: "u8" }, { mission_type: "u8" }],
  MISSION_COUNT: [44, { target_system: "u8", target_component: "u8", count: "u16" }, { mission_type: "u8", opaque_id: "u32" }],
  MISSION_CLEAR_ALL: [45, { target_system: "u8", target_component: "u8" }, { mission_type: "u8" }],
  MISSION_ITEM_REACHED: [46, { seq: "u16" }],
  MISSION_ACK: [47, { target_system: "u8", target_component: "u8", type: "u8" }, { mission_type: "u8", opaque_id: "u32" }],
  GPS_GLOBAL_ORIGIN: [49, { latitude: "i32", longitude: "i32", altitude: "i32" }, { time_usec: "u64" }],
  MISSION_REQUEST_INT: [51, { target_system: "u8", target_component: "u8", seq: "u16" }, { mission_type: "u8" }],
  RC_CHANNELS: [65, { time_boot_ms: "u32", chancount: "u8", chan1_raw: "u16", chan2_raw: "u16", chan3_raw: "u16", chan4_raw: "u16", chan5_raw: "u16", chan6_raw: "u16", chan7_raw: "u16", chan8_raw: "u16", chan9_raw: "u16", chan10_raw: "u16", chan11_raw: "u16", chan12_raw: "u16", chan13_raw: "u16", chan14_raw: "u16", chan15_raw: "u16", chan16_raw: "u16", chan17_raw: "u16", chan18_raw: "u16", rssi: "u8" }],
  MANUAL_CONTROL: [69, { target: "u8", x: "i16", y: "i16", z: "i16", r: "i16", buttons: "u16" }, { buttons2: "u16", enabled_extensions: "u8", s: "i16", t: "i16", aux1: "i16", aux2: "i16", aux3: "i16", aux4: "i16", aux5: "i16", aux6: "i16" }],
  MISSION_ITEM_INT: [73, { target_system: "u8", target_component: "u8", seq: "u16", frame: "u8", command: "u16", current: "u8", autocontinue: "u8", param1: "f32", param2: "f32", param3: "f32", param4: "f32", x: "i32", y: "i32", z: "f32" }, { mission_type: "u8" }],
  VFR_HUD: [74, { airspeed: "f32", groundspeed: "f32", heading: "i16", throttle: "u16", alt: "f32", climb: "f32" }],
  COMMAND_INT: [75, { target_system: "u8", target_component: "u8", frame: "u8", command: "u16", current: "u8", autocontinue: "u8", param1: "f32", param2: "f32", param3: "f32", param4: "f32", x: "i32", y: "i32", z: "f32" }],
  COMMAND_LONG: [76, { target_system: "u8", target_component: "u8", command: "u16", confirmation: "u8", param1: "f32", param2: "f32", param3: "f32", param4: "f32", param5: "f32", param6: "f32", param7: "f32" }],
  COMMAND_ACK: [77, { command: "u16", result: "u8" }, { progress: "u8", result_param2: "i32", target_system: "u8", target_component: "u8" }],
  ATTITUDE_TARGET: [83, { time_boot_ms: "u32", type_mask: "u8", q: "f32[4]", body_roll_rate: "f32", body_pitch_rate: "f32", body_yaw_rate: "f32", thrust: "f32" }],
  SET_POSITION_TARGET_LOCAL_NED: [84, { time_boot_ms: "u32", target_system: "u8", target_component: "u8", coordinate_frame: "u8", type_mask: "u16", x: "f32", y: "f32", z: "f32", vx: "f32", vy: "f32", vz: "f32", afx: "f32", afy: "f32", afz: "f32", yaw: "f32", yaw_rate: "f32" }],
  POSITION_TARGET_LOCAL_NED: [85, { time_boot_ms: "u32", coordinate_frame: "u8", type_mask: "u16", x: "f32", y: "f32", z: "f32", vx: "f32", vy: "f32", vz: "f32", afx: "f32", afy: "f32", afz: "f32", yaw: "f32", yaw_rate: "f32" }],
  HIL_ACTUATOR_CONTROLS: [93, { time_usec: "u64", controls: "f32[16]", mode: "u8", flags: "u64" }],
  HIL_SENSOR: [107, { time_usec: "u64", xacc: "f32", yacc: "f32", zacc: "f32", xgyro: "f32", ygyro: "f32", zgyro: "f32", xmag: "f32", ymag: "f32", zmag: "f32", abs_pressure: "f32", diff_pressure: "f32", pressure_alt: "f32", temperature: "f32", fields_updated: "u32" }, { id: "u8" }],
  TIMESYNC: [111, { tc1: "i64", ts1: "i64" }, { target_system: "u8", target_component: "u8" }],
  HIL_GPS: [113, { time_usec: "u64", fix_type: "u8", lat: "i32", lon: "i32", alt: "i32", eph: "u16", epv: "u16", vel: "u16", vn: "i16", ve: "i16", vd: "i16", cog: "u16", satellites_visible: "u8" }, { id: "u8", yaw: "u16" }],
  HIL_OPTICAL_FLOW: [114, { time_usec: "u64", sensor_id: "u8", integration_time_us: "u32", integrated_x: "f32", integrated_y: "f32", integrated_xgyro: "f32", integrated_ygyro: "f32", integrated_zgyro: "f32", temperature: "i16", quality: "u8", time_delta_distance_us: "u32", distance: "f32" }],
  HIL_STATE_QUATERNION: [115, { time_usec: "u64", attitude_quaternion: "f32[4]", rollspeed: "f32", pitchspeed: "f32", yawspeed: "f32", lat: "i32", lon: "i32", alt: "i32", vx: "i16", vy: "i16", vz: "i16", ind_airspeed: "u16", true_airspeed: "u16", xacc: "i16", yacc: "i16", zacc: "i16" }],
  DISTANCE_SENSOR: [132, { time_boot_ms: "u32", min_distance: "u16", max_distance: "u16", current_distance: "u16", type: "u8", id: "u8", orientation: "u8", covariance: "u8" }, { horizontal_fov: "f32", vertical_fov: "f32", quaternion: "f32[4]", signal_quality: "u8" }],
  ALTITUDE: [141, { time_usec: "u64", altitude_monotonic: "f32", altitude_amsl: "f32", altitude_local: "f32", altitude_relative: "f32", altitude_terrain: "f32", bottom_clearance: "f32" }],
  BATTERY_STATUS: [147, { id: "u8", battery_function: "u8", type: "u8", temperature: "i16", voltages: "u16[10]", current_battery: "i16", current_consumed: "i32", energy_consumed: "i32", battery_remaining: "i8" }, { time_remaining: "i32", charge_state: "u8", voltages_ext: "u16[4]", mode: "u8", fault_bitmask: "u32" }],
  AUTOPILOT_VERSION: [148, { capabilities: "u64", flight_sw_version: "u32", middleware_sw_version: "u32", os_sw_version: "u32", board_version: "u32", flight_custom_version: "u8[8]", middleware_custom_version: "u8[8]", os_custom_version: "u8[8]", vendor_id: "u16", product_id: "u16", uid: "u64" }, { uid2: "u8[18]" }],
  ESTIMATOR_STATUS: [230, { time_usec: "u64", flags: "u16", vel_ratio: "f32", pos_horiz_ratio: "f32", pos_vert_ratio: "f32", mag_ratio: "f32", hagl_ratio: "f32", tas_ratio: "f32", pos_horiz_accuracy: "f32", pos_vert_accuracy: "f32" }],
  HOME_POSITION: [242, { latitude: "i32", longitude: "i32", altitude: "i32", x: "f32", y: "f32", z: "f32", q: "f32[4]", approach_x: "f32", approach_y: "f32", approach_z: "f32" }, { time_usec: "u64" }],
  EXTENDED_SYS_STATE: [245, { vtol_state: "u8", landed_state: "u8" }],
  STATUSTEXT: [253, { severity: "u8", text: "char[50]" }, { id: "u16", chunk_seq: "u8" }],
  ODOMETRY: [331, { time_usec: "u64", frame_id: "u8", child_frame_id: "u8", x: "f32", y: "f32", z: "f32", q: "f32[4]", vx: "f32", vy: "f32", vz: "f32", rollspeed: "f32", pitchspeed: "f32", yawspeed: "f32", pose_covariance: "f32[21]", velocity_covariance: "f32[21]" }, { reset_counter: "u8", estimator_type: "u8", quality: "i8" }],
  EVENT: [410, { destination_component: "u8", destination_system: "u8", id: "u32", event_time_boot_ms: "u32", sequence: "u16", log_levels: "u8", arguments: "u8[40]" }],
  RAW_RPM: [339, { index: "u8", frequency: "f32" }],
});
