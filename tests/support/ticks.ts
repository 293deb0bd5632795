/** The ticks of an axis, computed directly from its definition, to check the schedule. */
import {
  type Axis,
  firstTickAtOrAfter,
  type ListedAxis,
  partsOf,
  type PeriodicAxis,
} from "../../packages/core/src/time/index.ts";

/** Whether an axis has a tick at a time. */
export function isTick(axis: Axis, tUs: number): boolean {
  return partsOf(axis).some((part) => part.kind === "every-boundary" || firstTickAtOrAfter(part, tUs) === tUs);
}

/** Returns all ticks in [fromUs, toUs]. Call this only if they are few. */
export function ticksBetween(axis: PeriodicAxis | ListedAxis, fromUs: number, toUs: number): number[] {
  const ticks: number[] = [];
  let tUs = firstTickAtOrAfter(axis, fromUs);
  while (tUs <= toUs) {
    ticks.push(tUs);
    tUs = firstTickAtOrAfter(axis, tUs + 1);
  }
  return ticks;
}
