/** Compile-time rules of topic buffers: lines that must not type-check are marked with @ts-expect-error. */
import type { TopicBuffer } from "./topic-buffer.ts";

export function rules(buffer: TopicBuffer<"vehicle_local_position">): void {
  buffer.setF32(buffer.at.x, 1);
  buffer.setU8(buffer.at.xy_valid, 1);
  // @ts-expect-error a float is not a flag
  buffer.setU8(buffer.at.x, 1);
  // @ts-expect-error a flag is not a float
  buffer.setF32(buffer.at.xy_valid, 1);
  // @ts-expect-error there is no such field
  buffer.setF32(buffer.at.altitude, 1);
}
