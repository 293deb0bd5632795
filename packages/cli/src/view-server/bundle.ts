/**
 * Collects the files that the page needs to fly a description: its text, and every file that it names, by relative
 * path.
 */
import { readFileSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { isPath, type Registry } from "@escapement/core";
import { FlightLayers } from "@escapement/formats";
import type { EmbeddedFlight } from "@escapement/viewer";
import { COMMAND_LINE } from "../errors.ts";
import { DISK } from "../load/flight-files.ts";

/** Returns true if a name means a description, and not a recording or a log. */
export function isDescription(name: string): boolean {
  return !isPath(name) || /\.(?:toml|json)$/i.test(name);
}

/** Reads a description and the files that it names. Errors in it are reported by the page. */
export function bundleFlight(name: string, registry: Registry): EmbeddedFlight {
  if (!isPath(name)) return { name, text: `extends = ${JSON.stringify(name)}\n`, files: {} };
  const text = new TextDecoder().decode(DISK.read(name, "check the path", {}));
  const top = resolve(name);
  const files: Record<string, string> = {};
  const layers = new FlightLayers(registry, {
    ...DISK,
    read(path, fix, namedBy) {
      const bytes = DISK.read(path, fix, namedBy);
      if (resolve(path) !== top) files[relative(dirname(top), resolve(path)).split(sep).join("/")] = base64(bytes);
      return bytes;
    },
  });
  layers.resolveLayer({ file: COMMAND_LINE, spec: { extends: name } });
  return { name: basename(name).replace(/\.(?:toml|json)$/i, ""), text, files };
}

export function fileBase64(path: string): string {
  return base64(readFileSync(path));
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
