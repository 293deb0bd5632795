/** Formats a blade that was fitted to measurements: as tables, and as parameters for a flight file. */
import type { PropellerError, PropellerFit, PropellerOptions } from "@escapement/core";
import { table } from "./table.ts";
import type { Style } from "./style.ts";

/** Unit and meaning of each parameter, in the order of the table. */
const ABOUT: readonly (readonly [name: keyof PropellerFit["blade"], unit: string, about: string])[] = [
  ["solidity", "1", "given: blades times chord at 75 % of the radius, divided by π times the radius"],
  ["pitchRad", "rad", "pitch at 75 % of the radius, from the zero-lift direction"],
  ["liftSlopePerRad", "1/rad", "lift slope at high Reynolds numbers"],
  ["lowReynoldsLift", "1", "lift slope at low Reynolds numbers, divided by the lift slope at high ones"],
  ["profileDrag", "1", "drag coefficient at high Reynolds numbers"],
  ["lowReynoldsDrag", "1", "drag coefficient at low Reynolds numbers, divided by the one at high Reynolds numbers"],
  ["reynoldsTransition", "1", "Reynolds number at which lift and drag are midway between these values"],
  ["inducedFactor", "1", "induced power divided by its ideal value"],
];

export function propellerText(fit: PropellerFit, options: PropellerOptions, style: Style): string {
  const { blade, kept, rows, error, heldOut } = fit;
  const parameters = ABOUT.map(([name, unit, about]) => [
    name,
    shortNumber(blade[name]),
    unit,
    kept.some((other) => other === name) ? `${about}; not determined by these rows, default` : about,
  ]);
  const lines = rows.map(({ measured, thrustCoefficient, powerCoefficient, isFitted }) => [
    measured.rpm.toFixed(0),
    measured.advanceRatio.toFixed(3),
    measured.thrustCoefficient.toFixed(4),
    thrustCoefficient.toFixed(4),
    measured.powerCoefficient.toFixed(4),
    powerCoefficient.toFixed(4),
    isFitted ? "" : "not fitted",
  ]);
  const fitted = rows.filter(({ isFitted }) => isFitted).length;
  return [
    `${style.strong("Blade")}  ${options.diameterM} m, ${options.blades ?? 2} blades, ${fitted} of ${rows.length} rows fitted`,
    "",
    table(["parameter", "value", "unit", "meaning"], parameters, style, [0, 2, 3]),
    "",
    table(["rpm", "J", "CT", "fitted", "CP", "fitted", ""], lines, style, [6]),
    "",
    `  root mean square error: ${errorText(error)} of the largest`,
    ...(heldOut === undefined
      ? []
      : [`  error of every second row, if only the other rows are fitted: ${errorText(heldOut)}`]),
    "",
    style.quiet("  parameters for a flight file: --toml"),
  ].join("\n");
}

/** Returns the parameters as they are written in a flight file. */
export function bladeToml({ blade }: PropellerFit, { diameterM, blades = 2 }: PropellerOptions): string {
  return [
    "[vehicle.propulsion]",
    `radiusM = ${shortNumber(diameterM / 2)}`,
    `blades = ${blades}`,
    "",
    "[vehicle.propulsion.momentum]",
    ...ABOUT.map(([name]) => `${name} = ${shortNumber(blade[name])}`),
    "",
  ].join("\n");
}

function errorText({ thrust, power }: PropellerError): string {
  return `thrust ${(100 * thrust).toFixed(1)} %, power ${(100 * power).toFixed(1)} %`;
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(4)));
}
