/**
 * The journal of a campaign, `journal.ndjson`: a manifest, then one line per row. Lines are only appended.
 *
 * If the process is killed while it writes, the torn last line does not match its checksum. The next start of the
 * campaign cuts that line off and flies the missing flights. Rows are written when they arrive and forced to disk once
 * per second.
 */
import { closeSync, existsSync, fsync, fsyncSync, ftruncateSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import {
  decodeLine,
  encodeLine,
  type Manifest,
  manifestFrom,
  type Row,
  rowFrom,
  mismatchOf,
} from "@escapement/formats";
import { campaignErrors } from "../spec/errors.ts";
import { linesOf, type PlacedLine } from "./line-reader.ts";

export const JOURNAL_FILE = "journal.ndjson";

/** Returns the path of the journal of a run. If there is none, throws the error that `refuse` makes. */
export function journalOf(folder: string, refuse: (facts: { what: string; where: { file: string } }) => Error): string {
  const path = join(folder, JOURNAL_FILE);
  if (existsSync(path)) return path;
  const what = existsSync(folder) ? `there is no ${JOURNAL_FILE} in it` : "the folder does not exist";
  throw refuse({ what, where: { file: folder } });
}

/** Returns the path of the journal of a run whose flights are only read. */
export function storedJournal(folder: string): string {
  return journalOf(folder, (facts) =>
    campaignErrors.notStored({ ...facts, fix: "give the folder of a run of `escapement campaign`" }),
  );
}
const SYNC_EVERY_MS = 1000;

interface ReadJournal {
  /** Undefined if not even the first line was written completely. */
  readonly manifest: Manifest | undefined;
  /** Length of the valid part. */
  readonly bytes: number;
  /** Whether invalid bytes follow the valid part. */
  readonly isTorn: boolean;
}

type OnRow = (row: Row, offset: number, bytes: number) => void;

/** Reads rows up to the first invalid line. */
function readLines(fd: number, path: string, onManifest: (manifest: Manifest) => void, onRow: OnRow): ReadJournal {
  let manifest: Manifest | undefined;
  let end = 0;
  for (const line of linesOf(fd)) {
    const { text, offset, bytes, isComplete } = line;
    if (offset === 0) {
      manifest = manifestOf(line, path);
      if (manifest === undefined) return { manifest, bytes: 0, isTorn: true };
      onManifest(manifest);
    } else {
      const row = isComplete ? rowFrom(decodeLine(text)) : undefined;
      if (row === undefined) return { manifest, bytes: end, isTorn: true };
      const mismatch = mismatchOf(row, manifest!);
      if (mismatch !== undefined) throw notOfCampaign(path, mismatch);
      onRow(row, offset, bytes);
    }
    end = offset + bytes + 1;
  }
  return { manifest, bytes: end, isTorn: false };
}

/** Reads the manifest from the first line; undefined if the line is incomplete. */
function manifestOf({ text, isComplete }: PlacedLine, path: string): Manifest | undefined {
  if (!isComplete) return undefined;
  const manifest = manifestFrom(decodeLine(text));
  if (manifest === undefined || typeof manifest === "number") throw notAJournal(path, manifest);
  return manifest;
}

function notAJournal(path: string, format?: number): Error {
  return campaignErrors.badJournal({
    what: format === undefined ? "the first line is not the manifest of a campaign" : `it has format ${format}`,
    where: { file: path, line: 1 },
    fix: format === undefined ? "choose another folder with -o" : "read it with the version that wrote it",
  });
}

function notOfCampaign(path: string, what: string): Error {
  return campaignErrors.badJournal({
    what,
    where: { file: path },
    fix: "fly the campaign into another folder with -o",
  });
}

/** Reads a whole journal. A torn end is ignored. Throws a typed error if the file is not a journal. */
export function readJournal(path: string, onRow: OnRow): Manifest {
  const fd = openSync(path, "r");
  try {
    const { manifest } = readLines(fd, path, () => {}, onRow);
    if (manifest === undefined) throw notAJournal(path);
    return manifest;
  } finally {
    closeSync(fd);
  }
}

/** Reads the first line of a journal. Throws a typed error if it is not a manifest. */
export function readManifest(path: string): Manifest {
  const fd = openSync(path, "r");
  try {
    for (const line of linesOf(fd)) {
      const manifest = manifestOf(line, path);
      if (manifest !== undefined) return manifest;
      break;
    }
    throw notAJournal(path);
  } finally {
    closeSync(fd);
  }
}

/** The parts of a manifest that must be the same in a journal and in the campaign that continues it. */
const MUST_MATCH = [
  ["identity", "other flights"],
  ["code", "another build of the program"],
  ["judged", "other requirements"],
] as const satisfies readonly (readonly [keyof Manifest, string])[];

/** Returns the differences of two manifests that forbid mixing their rows; undefined if there are none. */
export function differenceOf(a: Manifest, b: Manifest): string | undefined {
  const found = MUST_MATCH.filter(([key]) => a[key] !== b[key]).map(
    ([key, what]) => `${what} (${a[key].slice(0, 19)}, not ${b[key].slice(0, 19)})`,
  );
  return found.length === 0 ? undefined : found.join(" and ");
}

interface OpenJournalOptions {
  readonly manifest: Manifest;
  /** Sets an existing journal aside. */
  readonly fresh: boolean;
  /** Called with every row that the journal already has. */
  readonly onRow: (row: Row) => void;
}

export class Journal {
  readonly path: string;
  /** Number of rows when the journal was opened, and whether a torn line was cut off. */
  readonly found: { readonly rows: number; readonly isTorn: boolean };
  private readonly fd: number;
  private readonly timer: NodeJS.Timeout;
  private isDirty = false;
  /** The error of the last `fsync`. Rows written before it may be lost, and a later `fsync` would not report that. */
  private syncError: Error | undefined;

  private constructor(path: string, fd: number, found: Journal["found"]) {
    this.path = path;
    this.fd = fd;
    this.found = found;
    this.timer = setInterval(() => this.sync(), SYNC_EVERY_MS);
    this.timer.unref();
  }

  static open(path: string, { manifest, fresh, onRow }: OpenJournalOptions): Journal {
    if (fresh) setAside(path);
    const fd = openSync(path, "a+");
    try {
      let rows = 0;
      const check = (other: Manifest) => checkSame(other, manifest, path);
      const countRow = (row: Row) => {
        rows += 1;
        onRow(row);
      };
      const read = readLines(fd, path, check, countRow);
      if (read.isTorn) ftruncateSync(fd, read.bytes);
      const journal = new Journal(path, fd, { rows, isTorn: read.isTorn });
      if (read.manifest === undefined) journal.write(encodeLine(manifest));
      return journal;
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  append(row: Row): void {
    this.write(encodeLine(row));
  }

  /** Appends a row that is encoded already. */
  appendLine(line: string): void {
    this.write(line);
  }

  /** Throws a typed error if some rows may not have reached the disk. */
  close(): void {
    clearInterval(this.timer);
    try {
      if (this.syncError !== undefined) throw this.syncError;
      fsyncSync(this.fd);
    } catch (error) {
      throw this.writeError(error as Error);
    } finally {
      closeSync(this.fd);
    }
  }

  /** Closes the journal and renames it, so that the campaign starts again without its rows. */
  closeAndSetAside(): void {
    clearInterval(this.timer);
    closeSync(this.fd);
    setAside(this.path);
  }

  private write(line: string): void {
    const bytes = Buffer.from(line);
    try {
      if (this.syncError !== undefined) throw this.syncError;
      // If the disk is full, only a part of a line may be written. The next start cuts it off.
      for (let done = 0; done < bytes.length;) done += writeSync(this.fd, bytes, done);
    } catch (error) {
      throw this.writeError(error as Error);
    }
    this.isDirty = true;
  }

  private writeError(cause: Error): Error {
    return campaignErrors.diskFull({
      what: `the journal cannot be written: ${cause.message}`,
      where: { file: this.path },
      fix: "free disk space and start the campaign again; it continues where it stopped",
      cause,
    });
  }

  private sync(): void {
    if (!this.isDirty) return;
    this.isDirty = false;
    fsync(this.fd, (error) => {
      if (error !== null) this.syncError = error;
    });
  }
}

function checkSame(found: Manifest, wanted: Manifest, path: string): void {
  const difference = differenceOf(found, wanted);
  const [part, own] = [found, wanted].map(({ shard }) =>
    shard === undefined ? "all" : `${shard.index}/${shard.count}`,
  );
  if (difference === undefined && part === own) return;
  throw campaignErrors.otherJournal({
    what: difference === undefined ? `it holds another part of the campaign` : `it belongs to ${difference}`,
    where: { file: path },
    fix: "choose another folder with -o, or start again with --fresh, which keeps the old journal beside the new one",
  });
}

/** Renames an existing journal to the first free name, `journal.1.ndjson` and so on. */
function setAside(path: string): void {
  if (!existsSync(path)) return;
  for (let n = 1; ; n += 1) {
    const aside = path.replace(/\.ndjson$/, `.${n}.ndjson`);
    try {
      closeSync(openSync(aside, "wx"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw error;
    }
    try {
      renameSync(path, aside);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    return;
  }
}
