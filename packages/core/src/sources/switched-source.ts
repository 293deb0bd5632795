/**
 * A source whose settings the scenario may change in flight: it runs the variant for the active changes.
 *
 * When a different set of changes affects the source, it builds the new variant and switches to it. A variant of the
 * same kind continues with the old memory (positions of random streams, filters, delay lines) if the memory has the
 * same size. Any other variant starts as at the beginning of a flight. A checkpoint contains the changes and then the
 * memory of the variant.
 */
import type { Source, SourceWriter, View } from "../engine/index.ts";
import { type Saveable, Snapshot, type SnapshotReader, type SnapshotWriter } from "../snapshot/index.ts";
import type { Axis, Clock } from "../time/index.ts";

/** One variant of a source. */
export interface SourceVariant<W extends SourceWriter> {
  /** Variants of the same kind share the meaning of their memory. */
  readonly kind: string;
  readonly source: Source<W>;
}

interface SourceVariants<W extends SourceWriter> {
  /** Reduces the mask of all changes to those that affect the source. */
  readonly relevant: (mask: number) => number;
  readonly make: (relevant: number) => SourceVariant<W>;
}

/** Makes a source that reacts to the signal `settingChanges`. All variants have the axis of the first. */
export function switchedSource<W extends SourceWriter>(variants: SourceVariants<W>): Source<W> {
  return new SwitchedSource(variants) as unknown as Source<W>;
}

/**
 * Whether a source reacts to the signal `settingChanges`. If so, its memory begins with the mask of the active changes
 * that affect it.
 */
export function followsChanges(source: Source): boolean {
  return (source as unknown) instanceof SwitchedSource;
}

class SwitchedSource<W extends SourceWriter> {
  readonly writer: W;
  readonly axis: Axis;
  private readonly variants: SourceVariants<W>;
  private variant: SourceVariant<W>;
  /** The mask when the source last ran (−1 if unknown), and the part of it that affects the source. */
  private mask = 0;
  private changes = 0;

  constructor(variants: SourceVariants<W>) {
    this.variants = variants;
    this.variant = variants.make(0);
    const { writer, axis } = this.variant.source;
    this.writer = writer;
    this.axis = axis;
  }

  get restore(): Source["restore"] {
    return this.variant.source.restore ?? "saved";
  }

  readonly update = (clock: Clock, bus: View<W>): void => {
    const mask = (bus as View<"wind">).settingChanges[0]!;
    if (mask !== this.mask) this.switchTo(mask);
    this.variant.source.update(clock, bus);
  };

  private switchTo(mask: number): void {
    this.mask = mask;
    const changes = this.variants.relevant(mask);
    if (changes === this.changes) return;
    const before = this.variant;
    this.changes = changes;
    this.variant = this.variants.make(changes);
    if (before.kind === this.variant.kind) carryMemory(before.source, this.variant.source);
  }

  save(writer: SnapshotWriter): void {
    writer.number(this.changes);
    this.variant.source.save(writer);
  }

  load(reader: SnapshotReader): void {
    this.mask = -1;
    this.changes = reader.number();
    this.variant = this.variants.make(this.changes);
    this.variant.source.load(reader);
  }
}

function carryMemory(from: Saveable, to: Saveable): void {
  const memory = Snapshot.of(from);
  const sizes = ({ sections }: Snapshot) => sections.map(({ values }) => values.length).join();
  if (sizes(memory) === sizes(Snapshot.of(to))) memory.into(to);
}
