/**
 * Memory of the embedded autopilot: flat arrays, saved and loaded as a whole.
 *
 * Inside the autopilot NaN means "not commanded", as in PX4. A checkpoint must not contain NaN, so NaN is written as a
 * finite number that no control law ever reaches.
 */
import type { SnapshotReader, SnapshotWriter } from "../../snapshot/index.ts";

const NOT_COMMANDED = -Number.MAX_VALUE;

export function saveMemory(writer: SnapshotWriter, memory: Float64Array): void {
  for (let i = 0; i < memory.length; i += 1) {
    const value = memory[i];
    writer.number(Number.isNaN(value) ? NOT_COMMANDED : value);
  }
}

export function loadMemory(reader: SnapshotReader, memory: Float64Array): void {
  reader.numbersInto(memory);
  for (let i = 0; i < memory.length; i += 1) if (memory[i] === NOT_COMMANDED) memory[i] = NaN;
}
