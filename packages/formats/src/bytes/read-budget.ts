/** Limits the data that a file may unpack to, so that a small file cannot use all memory. */
import { fileErrors } from "../text/file-errors.ts";

/** Limits of a reader. */
export interface ReadLimits {
  /** Bytes that the file may unpack to. By default 64 times its size, but at least 128 MiB. */
  readonly mostBytes?: number;
}

const LEAST_LIMIT = 128 * 1024 * 1024;
const MOST_RATIO = 64;
/** Our own chunks are about 1 MiB. */
const MOST_CHUNK_BYTES = 64 * 1024 * 1024;

export class ReadBudget {
  private readonly file: string;
  private readonly limit: number;
  private readonly chunkLimit: number;
  private spent = 0;

  constructor(fileBytes: number, file: string, { mostBytes }: ReadLimits = {}) {
    this.file = file;
    this.limit = mostBytes ?? Math.max(LEAST_LIMIT, MOST_RATIO * fileBytes);
    this.chunkLimit = mostBytes ?? MOST_CHUNK_BYTES;
  }

  /** Counts one block before memory for it is allocated. Throws a typed error if it exceeds the limits. */
  spend(bytes: number): void {
    this.spent += bytes;
    if (bytes <= this.chunkLimit && this.spent <= this.limit) return;
    this.refuse(bytes > this.chunkLimit ? bytes : this.spent);
  }

  /** Like `spend`, but without the limit on one block: for data that is allocated at once, such as a whole table. */
  spendWhole(bytes: number): void {
    this.spent += bytes;
    if (!(this.spent <= this.limit)) this.refuse(this.spent);
  }

  private refuse(bytes: number): never {
    throw fileErrors.unpacksTooLarge({
      what: `the file would unpack to ${(bytes / 1e6).toFixed(0)} MB or more`,
      where: { file: this.file },
      fix: "if you trust the file, allow more with --read-limit <megabytes>",
    });
  }
}
