/** Writes small files at once: a file appears only when complete, and replaces another only if `overwrite` is set. */
import { closeSync, openSync, readSync } from "node:fs";
import { FileBytes } from "@escapement/formats/node";

export function writeWhole(path: string, content: string | Uint8Array, overwrite: boolean): number {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const file = new FileBytes(path, { overwrite, whenComplete: true });
  try {
    file.write(bytes);
  } catch (error) {
    file.discard();
    throw error;
  }
  file.close();
  return bytes.length;
}

/** Whether a file begins like one that this program can generate again; false if there is no file. */
export function startsLike(path: string, mark: string): boolean {
  const head = Buffer.alloc(400);
  try {
    const fd = openSync(path, "r");
    try {
      return head.toString("utf8", 0, readSync(fd, head, 0, head.length, 0)).includes(mark);
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}
