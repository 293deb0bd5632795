/** Sends PX4's navigator the reposition command, as a ground station would send it. */
import type { GeoPosition, Projection, Readable } from "@escapement/core";
import { px4Projection } from "../projection.ts";
import { TopicBuffer } from "../uorb/index.ts";
import type { LockstepAbi } from "./abi.ts";
import { lockstepErrors } from "./errors.ts";
import type { LockstepRuntime } from "./runtime.ts";

const TOPIC = "vehicle_command";
const CMD_REPOSITION = 192;
const DEFAULT_SPEED = -1;
const CHANGE_MODE = 1;

export class RepositionCommand {
  private readonly abi: LockstepAbi;
  private readonly message: TopicBuffer<typeof TOPIC>;
  private readonly projection: Projection;
  private readonly geodetic = new Float64Array(3);

  constructor(abi: LockstepAbi, runtime: LockstepRuntime, origin: GeoPosition) {
    this.abi = abi;
    this.projection = px4Projection(origin);
    this.message = new TopicBuffer(TOPIC, runtime.layout(TOPIC));
  }

  /** Sends the command. A yaw of NaN leaves the heading to PX4. */
  send(px4Us: number, posNed: Readable, yawRad: number): void {
    const { message, geodetic } = this;
    const { at } = message;
    this.projection.toGeodeticInto(geodetic, posNed);
    message.setU64(at.timestamp, px4Us);
    message.setU32(at.command, CMD_REPOSITION);
    message.setU8(at.target_system, 1);
    message.setU8(at.target_component, 1);
    message.setF32(at.param1, DEFAULT_SPEED);
    message.setF32(at.param2, CHANGE_MODE);
    message.setF32(at.param4, yawRad);
    message.setF64(at.param5, geodetic[0]!);
    message.setF64(at.param6, geodetic[1]!);
    message.setF32(at.param7, geodetic[2]!);
    if (this.abi.publishCommand?.(message.bytes) === true) return;
    throw lockstepErrors.noCommands({
      what: "the library does not export the symbols for commands to PX4's navigator (orb_advertise, __orb_vehicle_command)",
      fix: "leave goto out, or export the symbols when building the library",
    });
  }
}
