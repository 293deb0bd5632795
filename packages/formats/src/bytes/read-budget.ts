/** Limits the data that a file may unpack to, so that a small file cannot use all memory. */
import { fileErrors } from "../text/file-errors.ts";

/** Limits of a reader. */
export interface ReadLimits {
  /** Bytes that the file may unpack to. By default 128 MiB or 64 times its size, whichever is more. */
  readonly maxBytes?: number;
}

const MIN_LIMIT_BYTES = 128 * 1024 * 1024;
const MAX_RATIO = 64;
/** Default limit for one block. Chunks written by Escapement have about 1 MiB. */
const MAX_CHUNK_BYTES = 64 * 1024 * 1024;

export class ReadBudget {
  private readonly file: string;
  private readonly limit: number;
  private readonly chunkLimit: number;
  private spent = 0;

  constructor(fileBytes: number, file: string, { maxBytes }: ReadLimits = {}) {
    this.file = file;
    this.limit = maxBytes ?? Math.max(MIN_LIMIT_BYTES, MAX_RATIO * fileBytes);
    this.chunkLimit = maxBytes ?? MAX_CHUNK_BYTES;
  }

  /** Counts one block before memory for it is allocated. Throws a typed error if it exceeds the limits. */
  spend(bytes: number): void {
    this.spent += bytes;
    if (bytes <= this.chunkLimit && this.spent <= this.limit) return;
    this.throwTooLarge(bytes > this.chunkLimit ? bytes : this.spent);
  }

  /** Like `spend`, but without the limit for one block, for data that is allocated as a whole, such as a table. */
  spendWhole(bytes: number): void {
    this.spent += bytes;
    if (!(this.spent <= this.limit)) this.throwTooLarge(this.spent);
  }

  private throwTooLarge(bytes: number): never {
    throw fileErrors.unpacksTooLarge({
      what: `the file would unpack to ${(bytes / 1e6).toFixed(0)} MB or more`,
      where: { file: this.file },
      fix: "if you trust the file, allow more with --read-limit <megabytes>",
    });
  }
}
