/** The requirements in a recording, ready to judge its flight. */
import { requirement, type Requirement } from "@escapement/core";
import type { RecordingStream } from "@escapement/formats";

/** Reads the requirements of a recording. Throws a typed error if this version cannot read one of them. */
export function recordedRequirements({ requirements }: Pick<RecordingStream, "requirements">): Requirement[] {
  return requirements.map(({ text, ...options }) => requirement(text, options));
}
