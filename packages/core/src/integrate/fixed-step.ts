/**
 * Fixed-step integration: one step an interval, or equal substeps and a shorter last one.
 *
 * Nothing is remembered between intervals, so there is nothing to save and nothing to restart. Steps are made in the
 * method's own memory, so that both ends of each can be looked at and the caller's state changes only when all is done.
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
  private readonly dense: DenseOutput;

  constructor(tableau: Tableau, params: FixedStepParams, context: IntegratorContext) {
    this.rk = new RungeKutta(tableau, context, params.attitude);
    this.order = tableau.order;
    this.stats = this.rk.stats;
    this.substepUs = params.substepUs === 0 ? Infinity : params.substepUs;
    this.dense = new DenseOutput(this.rk);
  }

  advance(span: Float64Array, x: Float64Array, watch?: Watch): boolean {
    const { dense, rk, stats, substepUs } = this;
    const { stepUs } = rk;
    const endUs = span[1]!;
    invariant(endUs >= span[0]!, "an interval ends before it starts");
    if (endUs === span[0]) return true;
    rk.take(x);
    for (let us = span[0]!; ; us += stepUs[1]!) {
      stepUs[0] = us;
      stepUs[1] = Math.min(substepUs, endUs - us);
      rk.startSlope();
      rk.step();
      stats.accepted += 1;
      if (watch !== undefined) {
        dense.renew();
        if (watch.look(dense)) return false;
      }
      if (us + stepUs[1]! >= endUs) break;
      rk.follow();
    }
    rk.give(x);
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
