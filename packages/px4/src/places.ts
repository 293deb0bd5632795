/** Files and folders that the environment names. An empty variable counts as one that is not set. */
import { statSync } from "node:fs";

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === "" ? undefined : value;
}

export function isFile(path: string): boolean {
  return statOf(path)?.isFile() === true;
}

export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

/** Also where a part of the path is a file, or may not be looked into. */
function statOf(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
