/** Makes the description of a recorded flight, for pages that fly it again. */
import { definitionOf, type FlightDefinition, type Recording, SimError, specOf } from "@escapement/core";
import { tomlText } from "@escapement/formats";
import { registry, resolveText } from "./texts.ts";

/** Returns the description of a recorded flight, or undefined if that description would resolve to another flight. */
export function recordedText(recorded: Pick<Recording, "resolved" | "resolvedHash">): string | undefined {
  try {
    const text = textOf(definitionOf(recorded, registry));
    return resolveText(text, {}).resolved?.hash === recorded.resolvedHash ? text : undefined;
  } catch (error) {
    if (error instanceof SimError) return undefined;
    throw error;
  }
}

/** Writes a definition as a description: in TOML if that preserves every value, otherwise in JSON. */
function textOf(definition: FlightDefinition): string {
  const spec = specOf(definition);
  const toml = `${tomlText(spec)}\n`;
  const json = `${JSON.stringify(spec, undefined, 2)}\n`;
  const isSame = resolveText(toml, {}).resolved?.hash === resolveText(json, {}).resolved?.hash;
  return isSame ? toml : json;
}
