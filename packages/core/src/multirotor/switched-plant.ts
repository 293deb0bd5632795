/**
 * A multirotor whose parameters the scenario may change in flight: the input selects the variant that its equations
 * use.
 *
 * All variants have the same layout of state and input, so velocities, rotor speeds and charge are continuous across a
 * change, and only the equations change. The plant remains a pure function of time, state and input.
 */
import { inputLayout, type OutputsView, type Plant } from "../engine/index.ts";
import type { StateLayout } from "../state/index.ts";
import { plantErrors } from "./errors.ts";
import type { Multirotor } from "./plant.ts";
import { MAX_CONTACT_POINTS } from "./vehicle.ts";

export class SwitchedMultirotor implements Plant {
  readonly layout: StateLayout;
  /**
   * At least the number of seams of any variant. Seams of contact points that a variant does not have stay negative.
   */
  readonly seamCount: number;
  private readonly make: (mask: number) => Multirotor;
  private readonly first: Multirotor;
  private readonly maskAt: number;
  private variant: Multirotor;
  private mask = 0;

  /**
   * @param make returns the variant for a value of the signal `settingChanges`; the same object for the same variant
   */
  constructor(make: (mask: number) => Multirotor) {
    this.make = make;
    this.first = make(0);
    this.variant = this.first;
    this.layout = this.first.layout;
    this.seamCount = MAX_CONTACT_POINTS + this.first.dims.batteries;
    this.maskAt = inputLayout(this.first.dims).offsets.settingChanges;
  }

  initialInto(x: Float64Array): void {
    this.first.initialInto(x);
  }

  derivativesInto(dx: Float64Array, timeS: Float64Array, x: Float64Array, u: Float64Array): void {
    this.variantOf(u).derivativesInto(dx, timeS, x, u);
  }

  outputsInto(y: OutputsView, timeS: Float64Array, x: Float64Array, u: Float64Array): void {
    this.variantOf(u).outputsInto!(y, timeS, x, u);
  }

  jump(x: Float64Array, u: Float64Array): void {
    this.variantOf(u).jump!(x, u);
  }

  /** Projects with the first variant, because the valid set is the same for all variants. */
  project(x: Float64Array): number {
    return this.first.project!(x);
  }

  isClearOfEvents(x: Float64Array, u: Float64Array): boolean {
    return this.variantOf(u).isClearOfEvents!(x, u);
  }

  seamsInto(g: Float64Array, timeS: Float64Array, x: Float64Array, u: Float64Array): void {
    g.fill(-1);
    this.variantOf(u).seamsInto!(g, timeS, x, u);
  }

  private variantOf(u: Float64Array): Multirotor {
    const mask = u[this.maskAt]!;
    if (mask === this.mask) return this.variant;
    const variant = this.make(mask);
    requireSameState(this.first, variant);
    this.mask = mask;
    this.variant = variant;
    return variant;
  }
}

/**
 * Throws if a variant has different states. Before the flight, each change is checked together with the changes listed
 * before it, but not every combination in every order.
 */
function requireSameState(first: Multirotor, variant: Multirotor): void {
  const text = ({ layout, dims }: Multirotor) =>
    JSON.stringify([layout.blocks.map(({ name, size }) => [name, size]), dims]);
  if (text(first) === text(variant)) return;
  throw plantErrors.otherState({
    what: "the active changes of the vehicle lead to a vehicle with different states",
    where: { key: "scenario" },
    fix: "check which combinations of the vehicle's changes can occur",
  });
}
