/** Flies the same mission from four altitudes and prints a table. */
import { fileURLToPath } from "node:url";
import { fly, unchecked } from "escapement";

const file = fileURLToPath(new URL("./flight.toml", import.meta.url));

interface Row {
  readonly altMslM: number;
  readonly outcome: string;
  readonly powerW: number;
  readonly energyWh: number;
}

export const rows: Row[] = [];
for (const altMslM of [0, 1000, 2000, 3000]) {
  const { outcome, extremes } = await fly({ extends: unchecked(file), environment: { origin: { altMslM } } });
  rows.push({ altMslM, outcome, powerW: extremes.powerMeanW, energyWh: extremes.energyWh });
}
console.log("altMslM  outcome      powerW  energyWh");
for (const { altMslM, outcome, powerW, energyWh } of rows) {
  const cells = [powerW.toFixed(1).padStart(6), energyWh.toFixed(2).padStart(8)];
  console.log(`${String(altMslM).padStart(7)}  ${outcome.padEnd(11)}  ${cells.join("  ")}`);
}
