/**
 * The fingerprint of a flight: one plant digest, and one digest per writer to locate where a difference began (law 9).
 *
 * The plant digest covers time and x⁺ at every boundary, and the frozen input at the start and whenever its bits
 * changed. A replay, another engine, a worker and a loaded checkpoint must all reproduce it. A writer's digest covers
 * its own signals at the boundaries at which it ran. So a new signal changes only the digest of its own writer, unless
 * the plant reads it.
 */
import type { SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import {
  type BoundaryView,
  BusLayout,
  type Dims,
  DUE_BITS,
  type Observer,
  type Writer,
  WRITERS,
} from "../engine/index.ts";
import { Digest } from "./digest.ts";

export interface FingerprintDigests {
  readonly format: "fp1";
  readonly plant: string;
  readonly writers: Readonly<Partial<Record<Writer, string>>>;
}

interface FingerprintOptions {
  /**
   * If false, only the plant digest is computed. The plant digest alone defines whether two flights are equal; the
   * writers' digests only locate a difference.
   */
  readonly writers?: boolean;
}

const EVERY_BOUNDARY = -1;
/** The section of a checkpoint that holds the digests so far. */
export const FINGERPRINT_SECTION = "fingerprint";

/** An observer that digests the state and every writer's signals. */
export class Fingerprint implements Observer {
  private readonly plant = new Digest();
  private readonly names: readonly Writer[];
  private readonly digests: readonly Digest[];
  /** For each writer: due bits, first word, count of words. */
  private readonly ranges: Int32Array;
  private frameWords: Int32Array = new Int32Array(0);
  private busWords: Int32Array = new Int32Array(0);

  constructor(dims: Dims, options: FingerprintOptions = {}) {
    const layout = new BusLayout(dims);
    this.names = options.writers === false ? [] : WRITERS.filter((writer) => layout.ranges[writer][1] > 0);
    this.digests = this.names.map(() => new Digest());
    this.ranges = Int32Array.from(
      this.names.flatMap((writer) => {
        const [offset, size] = layout.ranges[writer];
        return [dueBitsOf(writer), 2 * offset, 2 * size];
      }),
    );
  }

  readonly observe = (view: BoundaryView): void => {
    if (this.frameWords.length === 0) {
      this.frameWords = new Int32Array(view.frame.buffer, view.frame.byteOffset, 2 * view.frame.length);
      this.busWords = new Int32Array(view.bus.buffer, view.bus.byteOffset, 2 * view.bus.length);
    }
    const count = view.inputChanged ? this.frameWords.length : 2 * (1 + view.stateSize);
    this.plant.feed(this.frameWords, 0, count);
    const { ranges, digests } = this;
    for (let i = 0; i < digests.length; i += 1) {
      const due = ranges[3 * i]!;
      const ran = due === 0 ? view.outputsRan : (view.due & due) !== 0;
      if (ran) digests[i]!.feed(this.busWords, ranges[3 * i + 1]!, ranges[3 * i + 2]!);
    }
  };

  /** Returns `fp1:` and the plant digest. Two flights are the same if this text is the same. */
  text(): string {
    return `fp1:${this.plantText()}`;
  }

  /** Returns the plant digest alone, without the cost of the writers' digests. */
  plantText(): string {
    return this.plant.text();
  }

  result(): FingerprintDigests {
    const writers: Partial<Record<Writer, string>> = {};
    this.names.forEach((writer, i) => {
      writers[writer] = this.digests[i]!.text();
    });
    return { format: "fp1", plant: this.plant.text(), writers };
  }

  save(writer: SnapshotWriter): void {
    writer.section(FINGERPRINT_SECTION);
    this.plant.save(writer);
    for (const digest of this.digests) digest.save(writer);
  }

  load(reader: SnapshotReader): void {
    reader.section(FINGERPRINT_SECTION);
    this.plant.load(reader);
    for (const digest of this.digests) digest.load(reader);
  }
}

/**
 * Returns the due bits of a writer; 0 for the derived outputs, for which the boundary reports whether they were
 * evaluated.
 */
function dueBitsOf(writer: Writer): number {
  if (writer === "outputs") return 0;
  return writer === "windSum" ? EVERY_BOUNDARY : DUE_BITS[writer];
}
