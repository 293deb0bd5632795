/**
 * The layout of a plant's state: named blocks over one Float64Array, with units and error tolerances.
 *
 * Integrators contain no physics: the layout specifies which errors they control, and how tightly. Log columns,
 * hashing, crash dumps and the names under which sources read the true state derive from the same blocks.
 */
import { invariant } from "../errors/index.ts";
import { stateErrors } from "./errors.ts";

/** Largest allowed local error of a step: `|e| ≤ absolute + relative · max(|x₀|, |x₁|)`, per component. */
export interface Tolerance {
  readonly absolute: number;
  readonly relative: number;
}

/** Error control is switched on and off per group of blocks. */
export type ToleranceGroup = string;

/** A named part of a state, with its unit and its tolerance. */
export interface Block {
  readonly name: string;
  readonly size: number;
  readonly unit: string;
  /** `attitude` is a unit quaternion (w, x, y, z): renormalised after each step; its error is an angle in rad. */
  readonly kind: "vector" | "attitude";
  readonly group: ToleranceGroup;
  readonly tolerance: Tolerance;
  /** Names of the components for columns and dumps, e.g. n, e, d; numbered from 1 if absent. */
  readonly components?: readonly string[];
  /** For an attitude: the block that holds its body rate, which the exponential-map option integrates. */
  readonly rateBlock?: string;
}

export interface PlacedBlock extends Block {
  readonly offset: number;
}

/** The offset of each block in the array of a state. */
export class StateLayout {
  readonly blocks: readonly PlacedBlock[];
  readonly size: number;

  constructor(blocks: readonly Block[]) {
    const placed: PlacedBlock[] = [];
    let offset = 0;
    for (const block of blocks) {
      invariant(!placed.some((other) => other.name === block.name), `state block "${block.name}" is declared twice`);
      invariant(
        block.kind !== "attitude" || block.size === 4,
        `attitude block "${block.name}" must have four components`,
      );
      if (block.size === 0) continue;
      placed.push({ ...block, offset });
      offset += block.size;
    }
    this.blocks = placed;
    this.size = offset;
  }

  find(name: string): PlacedBlock | undefined {
    return this.blocks.find((block) => block.name === name);
  }

  /** Returns the block of that name; if there is none, throws a typed error that names `neededBy`. */
  require(name: string, neededBy: string): PlacedBlock {
    const block = this.find(name);
    if (block !== undefined) return block;
    throw stateErrors.missingBlock({
      what: `${neededBy} needs the state "${name}", but this plant has only ${this.blocks.map((b) => b.name).join(", ")}`,
      fix: `choose another ${neededBy}, or give the plant a block "${name}"`,
    });
  }

  /** Returns the component names: `posNed.n`, `rotorSpeed.3`. */
  componentNames(): string[] {
    return this.blocks.flatMap((block) =>
      Array.from({ length: block.size }, (_, i) =>
        block.size === 1 ? block.name : `${block.name}.${block.components?.[i] ?? i + 1}`,
      ),
    );
  }

  /** Returns the state in readable lines, for errors and crash dumps. */
  dump(x: ArrayLike<number>): string {
    return this.blocks
      .map((block) => {
        const values = Array.from({ length: block.size }, (_, i) => String(x[block.offset + i]));
        return `  ${block.name} = ${values.join(", ")} ${block.unit}`;
      })
      .join("\n");
  }
}
