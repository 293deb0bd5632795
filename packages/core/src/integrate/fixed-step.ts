/**
 * Fixed-step integration: one step an interval, or equal substeps and a shorter last one.
 *
 * Nothing is remembered between intervals, so there is nothing to save and nothing to restart. Without a watch the step
 * is made in the caller's own vector; with one, in vectors of our own, so that both ends of the step can be looked at.
 */
import { invariant } from "../errors/index.ts";
import { defineKind, type Kind } from "../params/index.ts";
import type { Integrator, IntegratorContext, IntegratorStats, Watch } from "./contracts.ts";
import { DenseOutput } from "./dense.ts";
import { fixedStepParams, type FixedStepParams } from "./params.ts";
import { RungeKutta } from "./runge-kutta.ts";
import { checkTableau, type Tableau } from "./tableau.ts";

export class FixedStepIntegrator implements Integrator {
  readonly order: number;
  readonly stats: IntegratorStats;
  readonly memorySize = 0;
  private readonly rk: RungeKutta;
  private readonly substepUs: number;
  private readonly base: Float64Array;
  private readonly end: Float64Array;
  private readonly dense: DenseOutput;

  constructor(tableau: Tableau, params: FixedStepParams, context: IntegratorContext) {
    this.rk = new RungeKutta(tableau, context, params.attitude);
    this.order = tableau.order;
    this.stats = this.rk.stats;
    this.substepUs = params.substepUs === 0 ? Infinity : params.substepUs;
    this.base = new Float64Array(this.rk.size);
    this.end = new Float64Array(this.rk.size);
    this.dense = new DenseOutput(this.rk, this.base, this.end, context.plant.layout.size);
  }

  advance(span: Float64Array, x: Float64Array, watch?: Watch): boolean {
    invariant(span[1]! >= span[0]!, "an interval ends before it starts");
    if (watch !== undefined || this.rk.map !== undefined) return this.advanceApart(span, x, watch);
    this.advanceInPlace(span, x);
    return true;
  }

  private advanceInPlace(span: Float64Array, x: Float64Array): void {
    const { rk, substepUs } = this;
    const { stepUs } = rk;
    const endUs = span[1]!;
    for (let us = span[0]!; us < endUs; us += stepUs[1]!) {
      stepUs[0] = us;
      stepUs[1] = Math.min(substepUs, endUs - us);
      rk.startSlope(x);
      rk.step(x, x, x);
      this.stats.accepted += 1;
    }
  }

  private advanceApart(span: Float64Array, x: Float64Array, watch: Watch | undefined): boolean {
    const { base, dense, end, rk, substepUs } = this;
    const { stepUs } = rk;
    const { xEnd, xStart } = dense;
    const endUs = span[1]!;
    base.set(x);
    for (let us = span[0]!; us < endUs; us += stepUs[1]!) {
      stepUs[0] = us;
      stepUs[1] = Math.min(substepUs, endUs - us);
      rk.startSlope(xStart);
      rk.step(base, end, xEnd);
      this.stats.accepted += 1;
      dense.renew();
      if (watch !== undefined && watch.look(dense)) return false;
      xStart.set(xEnd);
    }
    x.set(xStart);
    return true;
  }

  restart(): void {}
  keepInto(): void {}
  takeBack(): void {}
  save(): void {}
  load(): void {}
}

/** The kind of a fixed-step method: all that differs is its tableau. */
export function fixedStepKind(method: {
  readonly name: string;
  readonly about: string;
  readonly version: number;
  readonly tableau: Tableau;
}): Kind<Integrator, IntegratorContext> {
  const { about, name, tableau, version } = method;
  checkTableau(name, tableau);
  return defineKind({
    name,
    about,
    version,
    params: fixedStepParams,
    make: (params, context: IntegratorContext): Integrator => new FixedStepIntegrator(tableau, params, context),
  });
}
