/**
 * Fixed-step integration: one step per interval, or equal substeps and possibly a shorter last substep.
 *
 * The integrator remembers nothing between intervals, so there is nothing to save or restart. It computes steps in its
 * own memory, so both ends of each step can be inspected, and the caller's state changes only when all steps are
 * complete.
 */
import { invariant } from "../errors/index.ts";
import { defineKind } from "../params/index.ts";
import type { Integrator, IntegratorContext, IntegratorStats, NamedIntegrator, EventFinder } from "./contract.ts";
import { DenseOutput } from "./dense.ts";
import { fixedStepParams, type FixedStepParams } from "./params.ts";
import { RungeKutta } from "./runge-kutta.ts";
import { checkTableau, type Tableau } from "./tableau.ts";

class FixedStepIntegrator implements Integrator {
  readonly order: number;
  readonly stats: IntegratorStats;
  readonly memorySize = 0;
  private readonly rk: RungeKutta;
  private readonly substepUs: number;
  private readonly dense: DenseOutput;

  constructor(tableau: Tableau, params: FixedStepParams, context: IntegratorContext) {
    const { e: _unused, ...plain } = tableau;
    this.rk = new RungeKutta(plain, context, params.attitude);
    this.order = tableau.order;
    this.stats = this.rk.stats;
    this.substepUs = params.substepUs === 0 ? Infinity : params.substepUs;
    this.dense = new DenseOutput(this.rk);
  }

  get isValid(): boolean {
    return this.rk.isValid;
  }

  get isClearOfEvents(): boolean {
    return this.rk.isClearOfEvents;
  }

  advance(span: Float64Array, x: Float64Array, finder?: EventFinder): boolean {
    const { rk } = this;
    const { stepUs } = rk;
    const sizeUs = span[1]! - span[0]!;
    if (sizeUs > this.substepUs) return this.advanceInSubsteps(span, x, finder);
    if (sizeUs <= 0) return isEmpty(span);
    stepUs[0] = span[0]!;
    stepUs[1] = sizeUs;
    if (!this.makeStep(x, finder)) return false;
    rk.copyEndInto(x);
    return true;
  }

  private advanceInSubsteps(span: Float64Array, x: Float64Array, finder: EventFinder | undefined): boolean {
    const { rk, substepUs } = this;
    const { stepUs } = rk;
    const endUs = span[1]!;
    for (let us = span[0]!; us < endUs; us += substepUs) {
      stepUs[0] = us;
      stepUs[1] = Math.min(substepUs, endUs - us);
      if (!this.makeStep(us === span[0] ? x : rk.xEnd, finder)) return false;
    }
    rk.copyEndInto(x);
    return true;
  }

  /**
   * Computes the step from `rk.stepUs[0]`, of size `rk.stepUs[1]`. Returns false if the finder found an event in it.
   */
  private makeStep(x: Float64Array, finder: EventFinder | undefined): boolean {
    const { dense, rk } = this;
    rk.loadStart(x);
    rk.startSlope();
    rk.step(true);
    this.stats.accepted += 1;
    if (finder === undefined || (rk.isClearOfEvents && finder.isClearOfEvents === true)) return true;
    dense.invalidate();
    return !finder.inspect(dense);
  }

  restart(): void {}
  saveInto(): void {}
  restoreFrom(): void {}
  save(): void {}
  load(): void {}
}

/** Returns true for an interval of zero length, which needs no step. Throws if the interval ends before it starts. */
function isEmpty(span: Float64Array): boolean {
  invariant(span[1] === span[0], "an interval ends before it starts");
  return true;
}

/**
 * Makes an integrator kind from a fixed-step method. Such kinds differ only in the tableau. The step is the interval,
 * or `substepUs`.
 */
export function fixedStepKind<const Name extends string>(method: {
  readonly name: Name;
  readonly about: string;
  readonly version: number;
  readonly tableau: Tableau;
}): NamedIntegrator<Name, typeof fixedStepParams> {
  const { about, name, tableau, version } = method;
  checkTableau(name, tableau);
  const kind = defineKind({
    name,
    about,
    version,
    params: fixedStepParams,
    make: (params, context: IntegratorContext): Integrator => new FixedStepIntegrator(tableau, params, context),
  });
  return { ...kind, stepping: "fixed", tableau };
}
