/**
 * Runs the program from scripts, and keeps the code that V8 compiles from them in a file beside them.
 *
 * Node accepts compiled code only for scripts, so the build also writes the program as scripts (`script-*.js`), which
 * require each other like CommonJS modules. A process that had to compile writes the file when it ends. V8 rejects code
 * that was made by another version, with other flags or on another processor. Damaged code ends the process, so the
 * file has a checksum.
 */
import { accessSync, constants, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/** The function that the text of a script defines. */
type Body = (
  exports: object,
  require: (name: string) => unknown,
  importModule: (name: string) => Promise<unknown>,
  filename: string,
) => void;

/**
 * Position of a script's compiled code after the index, and the modification time and length of the script from which
 * it was made.
 */
type Entry = readonly [offset: number, length: number, scriptMtimeMs: number, scriptLength: number];

/** Compiled code, and the modification time and length of the script from which it was made. */
interface Kept {
  readonly code: Buffer;
  readonly scriptMtimeMs: number;
  readonly scriptLength: number;
}

/**
 * The code that a process kept, by script, and how long the process ran. Only functions that ran have code, so a longer
 * run keeps more.
 */
interface Process {
  readonly ranMs: number;
  readonly scripts: Map<string, Kept>;
}
interface Index {
  readonly ranMs: number;
  readonly scripts: Readonly<Record<string, Entry>>;
}

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
/** The tag says which V8 with which flags accepts the code. */
const FILE = `${FOLDER}compiled-${cachedDataVersionTag().toString(16)}.bin`;
/** The file begins with the checksum of the rest, and the length of the index. */
const INDEX_AT = 8;
/** A process writes the file again if it ran this many times as long as the one that wrote it. */
const LONGER = 1.5;

/** Runs a script of the build's folder. Returns false if the build has none. */
export function runScript(name: string): boolean {
  if (statSync(FOLDER + name, { throwIfNoEntry: false }) === undefined) return false;
  const { ranMs, scripts: kept } = readKept();
  const nodeRequire = createRequire(import.meta.url);
  const exported = new Map<string, object>();
  const compiled: (() => void)[] = [];
  let isComplete = true;

  const require = (id: string): unknown => (id.startsWith("./") ? load(id.slice(2)) : loadOnUse(nodeRequire, id));
  const load = (file: string): object => {
    const known = exported.get(file);
    if (known !== undefined) return known;
    const filename = FOLDER + file;
    // The build writes only ASCII, which is read fastest as Latin-1.
    const text = readFileSync(filename, "latin1");
    const made = { scriptMtimeMs: statSync(filename).mtimeMs, scriptLength: text.length };
    const found = kept.get(file);
    const isSame = found?.scriptMtimeMs === made.scriptMtimeMs && found.scriptLength === made.scriptLength;
    const script = new Script(text, { filename, cachedData: isSame ? found.code : undefined });
    if (!isSame || script.cachedDataRejected === true) isComplete = false;
    compiled.push(() => kept.set(file, { ...made, code: script.createCachedData() }));
    const exports = {};
    exported.set(file, exports);
    (script.runInThisContext() as Body)(exports, require, (id) => import(id), filename);
    return exports;
  };

  load(name);
  process.once("exit", () => {
    if ((isComplete && performance.now() < LONGER * ranMs) || !isWritable()) return;
    // Code that is made now contains the functions that have run.
    for (const take of compiled) take();
    write({ ranMs: performance.now(), scripts: kept });
  });
  return true;
}

/**
 * Returns a module of Node or of another package that loads when it is first used, because a flight uses few of those that
 * its scripts require.
 */
function loadOnUse(require: NodeJS.Require, id: string): unknown {
  let loaded: object | undefined;
  const target = () => (loaded ??= require(id) as object);
  return new Proxy(Object.create(null) as object, {
    get: (_, key) => Reflect.get(target(), key) as unknown,
    has: (_, key) => Reflect.has(target(), key),
    ownKeys: () => Reflect.ownKeys(target()),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(target(), key);
      // The proxy's target is empty, and a proxy must not report a non-configurable property that its target lacks.
      return found === undefined ? undefined : { ...found, configurable: true };
    },
    getPrototypeOf: () => Reflect.getPrototypeOf(target()),
  });
}

function isWritable(): boolean {
  try {
    accessSync(FOLDER, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Reads the file of compiled code; empty if there is none. */
function readKept(): Process {
  const nothing = { ranMs: 0, scripts: new Map<string, Kept>() };
  try {
    const bytes = readFileSync(FILE);
    if (crc32(bytes.subarray(4)) !== bytes.readUInt32LE(0)) return nothing;
    const from = INDEX_AT + bytes.readUInt32LE(4);
    const index = JSON.parse(bytes.toString("latin1", INDEX_AT, from)) as Index;
    const scripts = Object.entries(index.scripts).map(([file, [offset, length, scriptMtimeMs, scriptLength]]) => {
      const code = bytes.subarray(from + offset, from + offset + length);
      return [file, { code, scriptMtimeMs, scriptLength }] as const;
    });
    return { ranMs: index.ranMs, scripts: new Map(scripts) };
  } catch {
    return nothing;
  }
}

/** Writes the file of compiled code. If that fails, only the next start takes longer. */
function write({ ranMs, scripts }: Process): void {
  const entries: Record<string, Entry> = {};
  let offset = 0;
  for (const [file, { code, scriptMtimeMs, scriptLength }] of scripts) {
    entries[file] = [offset, code.length, scriptMtimeMs, scriptLength];
    offset += code.length;
  }
  const text = Buffer.from(JSON.stringify({ ranMs, scripts: entries } satisfies Index), "latin1");
  const bytes = Buffer.concat([Buffer.alloc(INDEX_AT), text, ...[...scripts.values()].map(({ code }) => code)]);
  bytes.writeUInt32LE(text.length, 4);
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
  const partial = `${FILE}.${process.pid}`;
  try {
    writeFileSync(partial, bytes);
    renameSync(partial, FILE);
  } catch {
    rmSync(partial, { force: true });
  }
}
