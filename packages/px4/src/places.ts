/** Finds files and folders that environment variables name. An empty variable counts as not set. */
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

/** Returns undefined if the path does not exist, if part of it is a file, or if it may not be read. */
function statOf(path: string) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}
