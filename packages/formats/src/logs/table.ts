/** A log read back: columns by name. */
import type { Provenance } from "./rows.ts";

export interface Table {
  /** In the order of the file; of a ULog `topic.field`, each topic with its own `topic.timestamp`. */
  readonly columns: ReadonlyMap<string, Float64Array>;
  readonly units: ReadonlyMap<string, string>;
  /** What each column is, where the kind of log says so. */
  readonly abouts?: ReadonlyMap<string, string>;
  readonly provenance: Provenance;
  /** What a file that was cut short lacks. Absent: it is whole. */
  readonly missing?: string;
}
