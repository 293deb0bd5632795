/**
 * Compares layouts and hashes with numbers that a running PX4 library reported earlier: size, size without padding,
 * hash, offsets. The code under test derives them from the .msg files.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ELEMENT_BYTES, parseMsg, snakeCase } from "./definition.ts";
import type { Element } from "./definition.ts";
import { layoutOf } from "./layout.ts";
import { KNOWN_TOPICS, knownLayout } from "./registry.ts";
import type { KnownTopic } from "./registry.ts";
import { TopicBuffer } from "./topic-buffer.ts";

interface Vector {
  readonly size: string;
  readonly hash: number;
  readonly offsets?: string;
}

const VECTORS: { readonly [T in KnownTopic]?: Vector } = {
  battery_status: {
    size: "168/166",
    hash: 0xfd330964,
    offsets:
      "0:timestamp 8:voltage_v 12:current_a 16:current_average_a 20:discharged_mah 24:remaining 28:scale 32:time_remaining_s 36:temperature " +
      "40:voltage_cell_v 96:max_cell_voltage_delta 100:full_charge_capacity_wh 104:remaining_capacity_wh 108:nominal_voltage " +
      "112:internal_resistance_estimate 116:ocv_estimate 120:ocv_estimate_filtered 124:volt_based_soc_estimate 128:voltage_prediction " +
      "132:prediction_error 136:estimation_covariance_norm 140:capacity 142:cycle_count 144:average_time_to_empty 146:manufacture_date " +
      "148:state_of_health 150:max_error 152:interface_error 154:faults 156:over_discharge_count 158:connected 159:cell_count 160:source " +
      "161:priority 162:id 163:is_powering_off 164:is_required 165:warning",
  },
  vehicle_attitude: {
    size: "56/49",
    hash: 0x0ac1f7cd,
    offsets: "0:timestamp 8:timestamp_sample 16:q 32:delta_q_reset 48:quat_reset_counter",
  },
  vehicle_local_position: {
    size: "192/192",
    hash: 0x5141d2f7,
    offsets:
      "0:timestamp 8:timestamp_sample 16:ref_timestamp 24:ref_lat 32:ref_lon 40:x 44:y 48:z 52:delta_xy 60:delta_z 64:vx 68:vy 72:vz 76:z_deriv " +
      "80:delta_vxy 88:delta_vz 92:ax 96:ay 100:az 104:heading 108:heading_var 112:unaided_heading 116:delta_heading 120:tilt_var 124:ref_alt " +
      "128:dist_bottom 132:dist_bottom_var 136:delta_dist_bottom 140:eph 144:epv 148:evh 152:evv 156:vxy_max 160:vz_max 164:hagl_min " +
      "168:hagl_max_z 172:hagl_max_xy 176:xy_valid 177:z_valid 178:v_xy_valid 179:v_z_valid 180:xy_reset_counter 181:z_reset_counter " +
      "182:vxy_reset_counter 183:vz_reset_counter 184:heading_reset_counter 185:heading_good_for_control 186:xy_global 187:z_global " +
      "188:dist_bottom_valid 189:dist_bottom_reset_counter 190:dist_bottom_sensor_bitfield 191:dead_reckoning",
  },
  vehicle_global_position: {
    size: "72/67",
    hash: 0x923ca365,
    offsets:
      "0:timestamp 8:timestamp_sample 16:lat 24:lon 32:alt 36:alt_ellipsoid 40:delta_alt 44:delta_terrain 48:eph 52:epv 56:terrain_alt " +
      "60:lat_lon_valid 61:alt_valid 62:lat_lon_reset_counter 63:alt_reset_counter 64:terrain_reset_counter 65:terrain_alt_valid 66:dead_reckoning",
  },
  vehicle_angular_velocity: {
    size: "40/40",
    hash: 0x48cb9568,
    offsets: "0:timestamp 8:timestamp_sample 16:xyz 28:xyz_derivative",
  },
  vehicle_land_detected: {
    size: "24/20",
    hash: 0x4c30e23f,
    offsets:
      "0:timestamp 8:freefall 9:ground_contact 10:maybe_landed 11:landed 12:in_ground_effect 13:in_descend 14:has_low_throttle " +
      "15:vertical_movement 16:horizontal_movement 17:rotational_movement 18:close_to_ground_or_skipped_check 19:at_rest",
  },
  vehicle_status: {
    size: "80/74",
    hash: 0xf779fa65,
    offsets:
      "0:timestamp 8:armed_time 16:takeoff_time 24:nav_state_timestamp 32:valid_nav_states_mask 36:can_set_nav_states_mask " +
      "40:failure_detector_status 42:arming_state 43:latest_arming_reason 44:latest_disarming_reason 45:nav_state_user_intention 46:nav_state " +
      "47:executor_in_charge 48:hil_state 49:vehicle_type 50:failsafe 51:failsafe_and_user_took_over 52:failsafe_defer_state " +
      "53:gcs_connection_lost 54:gcs_connection_lost_counter 55:high_latency_data_link_lost 56:is_vtol 57:is_vtol_tailsitter " +
      "58:in_transition_mode 59:in_transition_to_fw 60:system_type 61:system_id 62:component_id 63:safety_button_available 64:safety_off " +
      "65:power_input_valid 66:usb_connected 71:rc_calibration_in_progress 72:calibration_enabled 73:pre_flight_checks_pass",
  },
  vehicle_control_mode: {
    size: "24/23",
    hash: 0x25a90612,
    offsets:
      "0:timestamp 8:flag_armed 9:flag_multicopter_position_control_enabled 10:flag_control_manual_enabled 11:flag_control_auto_enabled " +
      "12:flag_control_offboard_enabled 13:flag_control_position_enabled 14:flag_control_velocity_enabled 15:flag_control_altitude_enabled " +
      "16:flag_control_climb_rate_enabled 17:flag_control_acceleration_enabled 18:flag_control_attitude_enabled 19:flag_control_rates_enabled " +
      "20:flag_control_allocation_enabled 21:flag_control_termination_enabled 22:source_id",
  },
  actuator_armed: {
    size: "16/15",
    hash: 0x77773c05,
    offsets:
      "0:timestamp 8:armed 9:prearmed 10:ready_to_arm 11:lockdown 12:kill 13:termination 14:in_esc_calibration_mode",
  },
  home_position: {
    size: "64/60",
    hash: 0x159bab7e,
    offsets:
      "0:timestamp 8:lat 16:lon 24:alt 28:x 32:y 36:z 40:roll 44:pitch 48:yaw 52:update_count 56:valid_alt 57:valid_hpos 58:valid_lpos 59:manual_home",
  },
  vehicle_torque_setpoint: { size: "32/28", hash: 0x67088e65, offsets: "0:timestamp 8:timestamp_sample 16:xyz" },
  vehicle_thrust_setpoint: { size: "32/28", hash: 0x67088e65, offsets: "0:timestamp 8:timestamp_sample 16:xyz" },
  actuator_motors: {
    size: "72/66",
    hash: 0xcabc4d45,
    offsets: "0:timestamp 8:timestamp_sample 16:control 64:reversible_flags",
  },
  actuator_servos: { size: "48/48", hash: 0xc5d59a9e, offsets: "0:timestamp 8:timestamp_sample 16:control" },
  vehicle_attitude_setpoint: {
    size: "40/40",
    hash: 0x0591bb5a,
    offsets: "0:timestamp 8:yaw_sp_move_rate 12:q_d 28:thrust_body",
  },
  vehicle_rates_setpoint: {
    size: "40/33",
    hash: 0x79992167,
    offsets: "0:timestamp 8:roll 12:pitch 16:yaw 20:thrust_body 32:reset_integral",
  },
  mission_result: {
    size: "40/38",
    hash: 0x70caef92,
    offsets:
      "0:timestamp 8:mission_id 12:geofence_id 16:home_position_counter 20:seq_reached 24:seq_current 26:seq_total 28:item_changed_index " +
      "30:item_do_jump_remaining 32:valid 33:warning 34:finished 35:failure 36:item_do_jump_changed 37:execution_mode",
  },
  trajectory_setpoint: {
    size: "64/64",
    hash: 0xf614acde,
    offsets: "0:timestamp 8:position 20:velocity 32:acceleration 44:jerk 56:yaw 60:yawspeed",
  },
  geofence_status: { size: "16/13", hash: 0x5e9910da },
  takeoff_status: { size: "16/13", hash: 0x04f54801, offsets: "8:tilt_limit 12:takeoff_state" },
  hover_thrust_estimate: { size: "48/41", hash: 0x72e115b1, offsets: "16:hover_thrust 40:valid" },
  vehicle_local_position_setpoint: { size: "64/64", hash: 0xf2a950e8 },
  position_setpoint: { size: "80/77", hash: 0x61a3ed22 },
  position_setpoint_triplet: {
    size: "248/248",
    hash: 0xd5c515a6,
    offsets: "0:timestamp 8:previous.timestamp 88:current.timestamp 168:next.timestamp",
  },
  control_allocator_status: { size: "56/54", hash: 0xdd16e2c4 },
  rate_ctrl_status: { size: "24/20", hash: 0xf3082a61 },
  vehicle_command: { size: "56/55", hash: 0xcba514af },
  manual_control_setpoint: { size: "72/65", hash: 0x22fe7136 },
  mission: { size: "40/37", hash: 0xcf486e60 },
};

describe("uORB layouts", () => {
  for (const topic of Object.keys(VECTORS) as KnownTopic[]) {
    it(`of ${topic} have the size, hash and offsets that PX4 reports`, () => {
      const vector = VECTORS[topic]!;
      const layout = knownLayout(topic);
      expect(`${layout.size}/${layout.sizeNoPadding}`).toBe(vector.size);
      expect(layout.hash.toString(16)).toBe(vector.hash.toString(16));
      for (const pair of vector.offsets?.split(" ") ?? []) {
        const [offset, name] = pair.split(":") as [string, string];
        expect([name, layout.fields.get(name)?.offset]).toEqual([name, Number(offset)]);
      }
    });
  }

  it("has the queue length of vehicle_command", () => {
    expect(knownLayout("vehicle_command").queueLength).toBe(8);
    expect(knownLayout("vehicle_status").queueLength).toBe(1);
  });

  it("never lets fields overlap or violate their natural alignment", () => {
    for (const topic of KNOWN_TOPICS) {
      const layout = knownLayout(topic);
      let end = 0;
      for (const field of layout.fields.values()) {
        expect(field.offset % ELEMENT_BYTES[field.element]).toBe(0);
        expect(field.offset).toBeGreaterThanOrEqual(end);
        end = field.offset + ELEMENT_BYTES[field.element] * Math.max(1, field.count);
      }
      expect(layout.sizeNoPadding).toBeGreaterThanOrEqual(end);
      expect(layout.size % 8).toBe(0);
    }
  });

  it("sorts fields by size: a sorted declaration has the same layout and a different hash", () => {
    const fields = (Object.keys(ELEMENT_BYTES) as Element[]).map((type, i) => ({ type, name: `f${i}`, count: 0 }));
    const none = () => undefined;
    const layout = (list: typeof fields) =>
      layoutOf({ name: "M", topics: ["m"], fields: list, queueLength: 1 }, "m", none);
    fc.assert(
      fc.property(fc.shuffledSubarray(fields, { minLength: 2 }), (shuffled) => {
        const sorted = [...shuffled].sort((a, b) => ELEMENT_BYTES[b.type] - ELEMENT_BYTES[a.type]);
        const [a, b] = [layout(shuffled), layout(sorted)];
        expect([...a.fields]).toEqual([...b.fields]);
        expect(a.size).toBe(b.size);
        const same = shuffled.every((field, i) => field === sorted[i]);
        expect(a.hash === b.hash).toBe(same);
      }),
    );
  });
});

describe(".msg files", () => {
  it("are read with comments, constants, arrays, topics and queue length", () => {
    const text = `# what it is
uint64 timestamp		# time since start
uint8 KIND_A = 1
uint8 ORB_QUEUE_LENGTH = 4
float32[3] xyz # body
px4_msgs/PositionSetpoint   next

# TOPICS thing thing_groundtruth
`;
    expect(parseMsg(text, "Thing")).toEqual({
      name: "Thing",
      topics: ["thing", "thing_groundtruth"],
      queueLength: 4,
      fields: [
        { type: "uint64", name: "timestamp", count: 0 },
        { type: "float32", name: "xyz", count: 3 },
        { type: "PositionSetpoint", name: "next", count: 0 },
      ],
    });
    expect(parseMsg("uint64 timestamp\n", "VehicleGlobalPosition").topics).toEqual(["vehicle_global_position"]);
    expect(snakeCase("RateCtrlStatus")).toBe("rate_ctrl_status");
  });

  it("are rejected with file and line if a line is invalid", () => {
    expect(() => parseMsg("uint64 timestamp\nfloat32[ x\n", "Bad")).toThrow(/UORB-001.*Bad\.msg, line 2/);
  });

  it("are rejected when a nested type is unknown", () => {
    const message = parseMsg("uint64 timestamp\nMystery m\n", "Bad");
    expect(() => layoutOf(message, "bad", () => undefined)).toThrow(/unknown type Mystery/);
  });
});

describe("topic buffer", () => {
  it("writes and reads at the layout's offsets", () => {
    const buffer = new TopicBuffer("vehicle_attitude", knownLayout("vehicle_attitude"));
    buffer.setU64(buffer.at.timestamp, 2 ** 40 + 5);
    buffer.setF32(buffer.at.q, 0.25, 3);
    buffer.setU8(buffer.at.quat_reset_counter, 9);
    const view = new DataView(buffer.bytes.buffer);
    expect(view.getBigUint64(0, true)).toBe(2n ** 40n + 5n);
    expect(view.getFloat32(28, true)).toBe(0.25);
    expect(buffer.bytes[48]).toBe(9);
    expect(buffer.u64(buffer.at.timestamp)).toBe(2 ** 40 + 5);
    expect(buffer.f32(buffer.at.q, 3)).toBe(0.25);
  });

  it("rejects a PX4 whose message lacks a field", () => {
    const other = layoutOf(
      parseMsg("uint64 timestamp\nfloat32[4] q\n", "VehicleAttitude"),
      "vehicle_attitude",
      () => undefined,
    );
    expect(() => new TopicBuffer("vehicle_attitude", other)).toThrow(/UORB-003.*timestamp_sample/);
  });
});
