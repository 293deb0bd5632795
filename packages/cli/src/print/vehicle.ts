/** Prints the main figures of a vehicle: its mass, its hover, and the capacity of its batteries. */
import type { Trim, Vehicle } from "@escapement/core";
import { padEnd, type Style } from "./style.ts";

const RPM_PER_RADPS = 30 / Math.PI;

export function vehicleText(name: string, vehicle: Vehicle, hover: Trim, style: Style): string {
  const { massKg, rotors, propulsion, batteries } = vehicle;
  const armsM = rotors.map(({ positionM: [x = 0, y = 0] }) => Math.hypot(x, y));
  const { duty, speedRadS } = hover.rotors[0]!;
  const hovers = [`duty ${duty.toFixed(2)}`];
  if (speedRadS > 0) hovers.push(`${(RPM_PER_RADPS * speedRadS).toFixed(0)} rpm`);
  if (hover.powerW > 0) hovers.push(`${hover.powerW.toFixed(0)} W`);
  if (hover.enduranceS > 0) hovers.push(`${(hover.enduranceS / 60).toFixed(1)} min with full batteries`);
  const rows: readonly (readonly [string, string])[] = [
    ["mass", `${massKg} kg`],
    ["rotors", `${rotors.length}, ${rangeText(armsM)} m from the centre of mass`],
    ["propellers", `${(2 * propulsion.radiusM).toFixed(3)} m in diameter, rotor model ${propulsion.level}`],
    ["full duty", `lifts ${hover.full.thrustToWeight.toFixed(2)} times the weight`],
    ["hover", hovers.join(", ")],
    ...batteries.map(({ capacityAh, ocvV }, i): readonly [string, string] => [
      batteries.length === 1 ? "battery" : `battery ${i + 1}`,
      `${capacityAh} Ah, ${Math.max(...ocvV).toFixed(1)} V when full`,
    ]),
  ];
  return [
    ...rows.map(([label, text]) => `  ${style.quiet(padEnd(label, 12))}${text}`),
    "",
    style.quiet(`endurance and range over speed: escapement trim ${name}`),
    style.quiet(`every value: escapement list vehicles ${name} --toml`),
  ].join("\n");
}

function rangeText(values: readonly number[]): string {
  const [low, high] = [Math.min(...values).toFixed(3), Math.max(...values).toFixed(3)];
  return low === high ? low : `${low} to ${high}`;
}
