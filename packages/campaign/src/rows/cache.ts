/**
 * Rows of flights that were flown before, found by content: the description of the flight, its judging, and the code.
 *
 * One file per code and judging, `<code>-<judged>.ndjson`, contains lines like those of a journal, each with its key.
 * Torn lines are skipped, so that several processes may append to one file at the same time. If the files exceed the
 * size limit, the least recently used files are deleted.
 */
import { closeSync, mkdirSync, openSync, readdirSync, statSync, unlinkSync, utimesSync, writeSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { canonicalJson, isPlainObject, type PlainObject } from "@escapement/core";
import { checkedText, decodeLine, type Manifest, type Row, rowFrom } from "@escapement/formats";
import { KeyIndex } from "./key-index.ts";
import { lineAt, linesOf } from "./line-reader.ts";

const MAX_BYTES = 1e9;

export class RowCache {
  private readonly fd: number;
  private index: KeyIndex | undefined;

  private constructor(fd: number) {
    this.fd = fd;
  }

  /** Opens the file of rows with this code and judging. */
  static open(folder: string, { code, judged }: Pick<Manifest, "code" | "judged">, maxBytes = MAX_BYTES): RowCache {
    mkdirSync(folder, { recursive: true });
    const name = `${code.slice(0, 16)}-${judged.slice(0, 16)}.ndjson`;
    const path = join(folder, name);
    const cache = new RowCache(openSync(path, "a+"));
    const now = new Date();
    utimesSync(path, now, now);
    removeOldest(folder, name, maxBytes);
    return cache;
  }

  /** Returns the row of a flight with this content, renumbered to k; undefined if there is none. */
  find(key: string, k: number): Row | undefined {
    // Build the index on the first call: a campaign whose rows are all in its journal does not need it.
    this.index ??= indexOf(this.fd);
    for (const offset of this.index.offsetsOf(key)) {
      const line = decodeLine(lineAt(this.fd, offset));
      const row = isPlainObject(line) && line["key"] === key ? rowFrom(line["row"]) : undefined;
      if (row !== undefined) return { ...row, k };
    }
    return undefined;
  }

  /** Stores a row. Rows of failed and poisoned flights are not stored, because a later attempt may succeed. */
  add(key: string, row: Row): void {
    if (row.outcome === "poisoned" || row.outcome === "failed") return;
    writeSync(this.fd, checkedText({ key, row }));
  }

  close(): void {
    closeSync(this.fd);
  }
}

/** Returns the key of a flight. It contains the full hashes of code and judging, which the file's name abbreviates. */
export function cacheKey(spec: PlainObject, { code, judged }: Pick<Manifest, "code" | "judged">): string {
  return createHash("sha256").update(canonicalJson({ code, judged, spec })).digest("hex");
}

function indexOf(fd: number): KeyIndex {
  const index = new KeyIndex();
  for (const { text, offset } of linesOf(fd)) {
    const key = /^\{"key":"([0-9a-f]{64})"/.exec(text)?.[1];
    if (key !== undefined) index.add(key, offset);
  }
  return index;
}

function removeOldest(folder: string, inUse: string, maxBytes: number): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".ndjson"))
    .map((name) => ({ name, ...usage(join(folder, name)) }))
    .sort((a, b) => b.usedMs - a.usedMs);
  let bytes = 0;
  for (const { name, size } of files) {
    bytes += size;
    if (bytes > maxBytes && name !== inUse) unlinkSync(join(folder, name));
  }
}

function usage(path: string): { readonly size: number; readonly usedMs: number } {
  const { size, mtimeMs } = statSync(path);
  return { size, usedMs: mtimeMs };
}
