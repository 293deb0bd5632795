/**
 * The size of a step's error: the largest error of any controlled component, in units of its tolerance.
 *
 *   |eᵢ| / (absoluteᵢ + relativeᵢ · max(|x₀ᵢ|, |x₁ᵢ|)),   accepted when the maximum is at most 1
 *
 * The error of an attitude is one angle: the rotation between the solution and the embedded solution. It is computed
 * from the chord between the unit quaternions, 4 asin(‖Δ‖/2). The arc cosine of their product would give zero for every
 * angle below 3e-8 rad. The layout sets the tolerance of each group. All groups are controlled unless the flight
 * overrides this.
 */
import type { PlacedBlock, StateLayout, Tolerance } from "../state/index.ts";
import { integrateErrors } from "./errors.ts";
import type { AdaptiveParams } from "./params.ts";

interface WorstComponent {
  readonly name: string;
  /** Error in units of the tolerance. */
  readonly ratio: number;
  readonly error: number;
  readonly tolerance: Tolerance;
  readonly unit: string;
}

export class ErrorNorm {
  /** The measured error, infinite if any value is not finite. In an array, because a returned fraction may be boxed. */
  readonly value = new Float64Array(1);
  /** Tolerances of each component and of the angle of each attitude. */
  readonly absolute: Float64Array;
  readonly relative: Float64Array;
  readonly angleTolerance: Float64Array;
  private readonly layout: StateLayout;
  private readonly attitudes: Int32Array;
  private readonly usesMap: boolean;

  /** With `usesMap`, the error of an attitude is the error of the rotation vector that the exponential map appends. */
  constructor(layout: StateLayout, params: Pick<AdaptiveParams, "groups" | "toleranceScale">, usesMap: boolean) {
    checkGroups(layout, params);
    this.layout = layout;
    this.usesMap = usesMap;
    // An infinite tolerance excludes a component, but the ratio is still NaN if the component's error is not finite.
    this.absolute = new Float64Array(layout.size).fill(Infinity);
    this.relative = new Float64Array(layout.size);
    const attitudes = layout.blocks.filter((block) => block.kind === "attitude");
    this.attitudes = Int32Array.from(attitudes, (block) => block.offset);
    this.angleTolerance = new Float64Array(attitudes.length).fill(Infinity);
    for (const block of layout.blocks) {
      const tolerance = toleranceOf(block, params);
      if (tolerance === undefined) continue;
      if (block.kind === "attitude") {
        // Unit quaternions have length 1, so the relative tolerance adds to the absolute one.
        this.angleTolerance[attitudes.indexOf(block)] = tolerance.absolute + tolerance.relative;
      } else {
        this.absolute.fill(tolerance.absolute, block.offset, block.offset + block.size);
        this.relative.fill(tolerance.relative, block.offset, block.offset + block.size);
      }
    }
  }

  /** Fills `value` from the states at both ends of a step and its estimated error. */
  measure(start: Float64Array, end: Float64Array, error: Float64Array): void {
    const { absolute, relative } = this;
    let worst = 0;
    for (let i = 0; i < absolute.length; i += 1) {
      const largest = Math.max(Math.abs(start[i]!), Math.abs(end[i]!));
      worst = Math.max(worst, Math.abs(error[i]!) / (absolute[i]! + relative[i]! * largest));
    }
    for (let j = 0; j < this.attitudes.length; j += 1) {
      worst = Math.max(worst, this.angle(j, end, error) / this.angleTolerance[j]!);
    }
    // Math.max propagates NaN; NaN becomes Infinity here.
    this.value[0] = worst < Infinity ? worst : Infinity;
  }

  /**
   * Returns the size of a vector in units of the tolerances at a state. The components of an attitude are taken as half
   * angles.
   */
  sizeAt(state: Float64Array, vector: Float64Array): number {
    const { absolute, relative, attitudes, angleTolerance } = this;
    let largest = 0;
    for (let i = 0; i < absolute.length; i += 1)
      largest = Math.max(largest, Math.abs(vector[i]!) / (absolute[i]! + relative[i]! * Math.abs(state[i]!)));
    for (let j = 0; j < attitudes.length; j += 1) {
      for (let k = 0; k < 4; k += 1)
        largest = Math.max(largest, (2 * Math.abs(vector[attitudes[j]! + k]!)) / angleTolerance[j]!);
    }
    return largest;
  }

  /** Returns the angle in rad between the solution and the embedded solution for attitude j. */
  private angle(j: number, end: Float64Array, error: Float64Array): number {
    if (this.usesMap) {
      const s = this.absolute.length + 3 * j;
      return Math.sqrt(error[s]! * error[s]! + error[s + 1]! * error[s + 1]! + error[s + 2]! * error[s + 2]!);
    }
    const o = this.attitudes[j]!;
    const chord = chordBetween(end, error, o);
    // 4 asin(chord/2) to second order, which is sufficient for the small angles of accepted steps.
    return 2 * chord * (1 + (chord * chord) / 24);
  }

  /** Returns the component with the largest error, for an error message. */
  worst(start: Float64Array, end: Float64Array, error: Float64Array): WorstComponent {
    const names = this.layout.componentNames();
    const all: WorstComponent[] = this.layout.blocks.flatMap((block): WorstComponent[] => {
      if (block.kind === "attitude") {
        const j = this.attitudes.indexOf(block.offset);
        const angle = this.angle(j, end, error);
        const tolerance = { absolute: this.angleTolerance[j]!, relative: 0 };
        return [{ name: block.name, ratio: angle / tolerance.absolute, error: angle, tolerance, unit: "rad" }];
      }
      return Array.from({ length: block.size }, (_, n) => {
        const i = block.offset + n;
        const tolerance = { absolute: this.absolute[i]!, relative: this.relative[i]! };
        const largest = Math.max(Math.abs(start[i]!), Math.abs(end[i]!));
        const ratio = Math.abs(error[i]!) / (tolerance.absolute + tolerance.relative * largest);
        return { name: names[i]!, ratio, error: Math.abs(error[i]!), tolerance, unit: block.unit };
      });
    });
    return all.reduce((a, b) => (Number.isNaN(a.ratio) || a.ratio >= b.ratio ? a : b));
  }

  /** Lists the tolerances in use, one line per block. */
  describe(): string {
    return this.layout.blocks
      .map((block) => {
        const j = this.attitudes.indexOf(block.offset);
        const absolute = block.kind === "attitude" ? this.angleTolerance[j]! : this.absolute[block.offset]!;
        const relative = block.kind === "attitude" ? 0 : this.relative[block.offset]!;
        const unit = block.kind === "attitude" ? "rad" : block.unit;
        return absolute === Infinity
          ? `  ${block.name}: not controlled`
          : `  ${block.name}: ${absolute} ${unit} + ${relative} of its size`;
      })
      .join("\n");
  }
}

/**
 * Returns ‖q − q'‖. q is the attitude at offset o of `end`, which has unit length. q' is q minus its error, scaled to
 * unit length, with the sign that makes it nearer to q.
 */
function chordBetween(end: Float64Array, error: Float64Array, o: number): number {
  const w = end[o]!;
  const x = end[o + 1]!;
  const y = end[o + 2]!;
  const z = end[o + 3]!;
  let ow = w - error[o]!;
  let ox = x - error[o + 1]!;
  let oy = y - error[o + 2]!;
  let oz = z - error[o + 3]!;
  const dot = w * ow + x * ox + y * oy + z * oz;
  const norm = Math.sqrt(ow * ow + ox * ox + oy * oy + oz * oz) * (dot < 0 ? -1 : 1);
  ow = w - ow / norm;
  ox = x - ox / norm;
  oy = y - oy / norm;
  oz = z - oz / norm;
  return Math.sqrt(ow * ow + ox * ox + oy * oy + oz * oz);
}

/** Returns a block's tolerance after the flight's overrides; undefined if its group does not control the step. */
function toleranceOf(
  block: PlacedBlock,
  { groups, toleranceScale }: Pick<AdaptiveParams, "groups" | "toleranceScale">,
): Tolerance | undefined {
  const override = groups.find(({ group }) => group === block.group);
  if (override?.controlled === false) return undefined;
  const given =
    override === undefined || (override.absolute === 0 && override.relative === 0) ? block.tolerance : override;
  const tolerance = { absolute: given.absolute * toleranceScale, relative: given.relative * toleranceScale };
  if (tolerance.absolute > 0 && tolerance.relative >= 0) return tolerance;
  throw integrateErrors.badTolerance({
    what: `the tolerance of "${block.name}" is ${given.absolute} ${block.unit} absolute and ${given.relative} relative`,
    where: { key: override === undefined ? "groups" : `groups[${groups.indexOf(override)}]` },
    fix: `give group "${block.group}" an absolute tolerance above 0, or controlled = false`,
  });
}

function checkGroups(layout: StateLayout, { groups }: Pick<AdaptiveParams, "groups">): void {
  const known = [...new Set(layout.blocks.map((block) => block.group))];
  groups.forEach(({ group }, index) => {
    if (groups.findIndex((other) => other.group === group) < index) {
      // Only one of the two could apply, and which one would be unclear.
      throw integrateErrors.groupTwice({
        what: `group "${group}" is given a second time`,
        where: { key: `groups[${index}].group` },
        fix: "give all tolerances of a group in one table",
      });
    }
    if (known.includes(group)) return;
    throw integrateErrors.unknownGroup({
      what: `the plant has no states of group "${group}"`,
      where: { key: `groups[${index}].group` },
      fix: `use one of: ${known.join(", ")}`,
    });
  });
  if (known.every((name) => groups.some(({ group, controlled }) => group === name && !controlled))) {
    throw integrateErrors.nothingControlled({
      what: "no group of states controls the step",
      where: { key: "groups" },
      fix: "leave one group controlled, or choose a fixed-step integrator",
    });
  }
}
