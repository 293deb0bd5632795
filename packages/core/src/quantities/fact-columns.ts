/**
 * The facts at the samples of a block, one column per fact. A fact depends on all earlier samples, so the samples are
 * added in order, and blocks follow each other without a gap.
 */
import type { Readable } from "../engine/contracts.ts";
import type { Saveable, SnapshotReader, SnapshotWriter } from "../snapshot/index.ts";
import type { StateLayout } from "../state/index.ts";
import type { Clock } from "../time/index.ts";
import { TouchFacts } from "./facts.ts";

const FACT_NAMES = ["timeS", "touching", "hasFlown", "impactMps", "heightLossM", "airborne"] as const;
type FactName = (typeof FACT_NAMES)[number];
/** Quantities that are facts. */
type FactQuantity = Exclude<FactName, "airborne">;

/** Whether a quantity is a fact, which has a column. */
export function isFact(quantity: string): quantity is FactQuantity {
  return quantity !== "airborne" && (FACT_NAMES as readonly string[]).includes(quantity);
}

export class FactColumns implements Saveable {
  readonly columns: Readonly<Record<FactName, Float64Array>>;
  private readonly facts: TouchFacts;

  constructor(layout: StateLayout, size: number) {
    this.facts = new TouchFacts(layout);
    this.columns = Object.fromEntries(FACT_NAMES.map((name) => [name, new Float64Array(size)])) as Record<
      FactName,
      Float64Array
    >;
  }

  /** Adds the k-th sample of the block. */
  add(k: number, clock: Clock, x: Readable, bus: { readonly contactForceNed: Readable }): void {
    const { columns, facts } = this;
    facts.update(clock, x, bus);
    columns.timeS[k] = facts.timeS;
    columns.touching[k] = facts.isTouching;
    columns.hasFlown[k] = facts.hasFlown;
    columns.impactMps[k] = facts.impactSpeedMps;
    columns.heightLossM[k] = facts.heightLossM;
    columns.airborne[k] = facts.isAirborne;
  }

  save(writer: SnapshotWriter): void {
    this.facts.save(writer);
  }

  load(reader: SnapshotReader): void {
    this.facts.load(reader);
  }
}
