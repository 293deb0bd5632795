/** An output without an equation, or an equation without an output, does not compile. */
import type { OutputName } from "./memory.ts";
import { type DirectOutputs, directOutputs, type EvaluatedOutputs, evaluatedOutputs } from "./outputs.ts";

const { airPressure, ...withoutPressure } = directOutputs;

// @ts-expect-error An output that no equation fills.
export const missing: DirectOutputs = withoutPressure;

// @ts-expect-error An equation that fills no output of the signal table.
export const unknown: DirectOutputs = { ...withoutPressure, airPressure, airHumidity: airPressure };

// @ts-expect-error The same among the evaluated outputs.
export const unknownToo: EvaluatedOutputs = { ...evaluatedOutputs, airHumidity: evaluatedOutputs.airDensity };

export const all: Record<OutputName, unknown> = { ...evaluatedOutputs, ...directOutputs };
