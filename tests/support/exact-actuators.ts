/** Exact steps of the linear actuators under a held command, as a reference for integrators. */
import { cos, exp, sin } from "../../packages/core/src/math/index.ts";

/** y after `dtS` of ẏ = (c − y)/τ. */
export function firstOrderStep(
  y: number,
  step: { readonly command: number; readonly dtS: number; readonly tauS: number },
): number {
  const keep = exp(-step.dtS / step.tauS);
  return keep * y + (1 - keep) * step.command;
}

interface SecondOrderStep {
  readonly command: number;
  readonly dtS: number;
  readonly naturalRadS: number;
  readonly damping: number;
}

/** Output and rate after `dtS` of ÿ = ωn²(c − y) − 2ζωn·ẏ without a rate limit, for ζ < 1. */
export function secondOrderStepInto(state: Float64Array, step: SecondOrderStep): void {
  const { command, dtS, naturalRadS: wn, damping: zeta } = step;
  const wd = wn * Math.sqrt(1 - zeta * zeta);
  const decay = exp(-zeta * wn * dtS);
  const c = cos(wd * dtS);
  const s = sin(wd * dtS);
  const e = state[0] - command;
  const b = (state[1] + zeta * wn * e) / wd;
  state[0] = command + decay * (e * c + b * s);
  state[1] = decay * (-(zeta * wn) * (e * c + b * s) + wd * (b * c - e * s));
}
