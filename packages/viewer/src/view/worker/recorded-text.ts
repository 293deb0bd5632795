/** Makes the description of a recorded flight, for pages that fly it again. */
import { definitionOf, type PlainObject, SimError, specOf } from "@escapement/core";
import { type RecordingStream, tomlText } from "@escapement/formats";
import { registry, resolveText } from "./texts.ts";

interface RecordedFlight
  extends Pick<RecordingStream, "resolved" | "resolvedHash">, Partial<Pick<RecordingStream, "requirements">> {}

/** Returns the description of a recorded flight, or undefined if that description would resolve to another flight. */
export function recordedText(recorded: RecordedFlight): string | undefined {
  const { requirements = [] } = recorded;
  try {
    const spec = specOf(definitionOf(recorded, registry));
    const text = textOf(requirements.length === 0 ? spec : { ...spec, requirements });
    return resolveText(text, {}).resolved?.hash === recorded.resolvedHash ? text : undefined;
  } catch (error) {
    if (error instanceof SimError) return undefined;
    throw error;
  }
}

/** Writes a description: in TOML if that preserves every value, otherwise in JSON. */
function textOf(spec: PlainObject): string {
  const toml = `${tomlText(spec)}\n`;
  const json = `${JSON.stringify(spec, undefined, 2)}\n`;
  const isSame = resolveText(toml, {}).resolved?.hash === resolveText(json, {}).resolved?.hash;
  return isSame ? toml : json;
}
