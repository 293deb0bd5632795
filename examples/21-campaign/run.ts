/** A campaign from a program: how the position error of a hover grows with the wind. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fly } from "escapement";
import { campaign } from "escapement/campaign";

const folder = mkdtempSync(join(tmpdir(), "campaign-"));

export const result = await campaign(
  {
    name: "hover in wind",
    flight: { extends: "hover", timeline: { endS: 15 } },
    plan: { kind: "grid" },
    vary: { "wind.w20Mps": { list: [2, 6, 10] } },
    requirements: [{ name: "stays near", text: "always positionError < 1 m during 8 s..15 s" }],
    criteria: ["every flight: stays near"],
  },
  { folder, jobs: 1, cache: false, page: false },
);

for (const { k, varied, verdicts } of result.rows()) {
  const { verdict, low } = verdicts[0]!;
  console.log(`#${k}  wind ${String(varied[0])} m/s  ${verdict} by ${low.toFixed(2)} m`);
}
console.log(`criteria: ${result.verdict}`);

/** Any flight of a campaign can be flown again, with the same bits. */
const [row] = result.rows();
export const again = await fly(result.flight(0));
console.log(`flight 0 again: ${again.fingerprint === row!.fingerprint ? "the same bits" : "different bits"}`);
rmSync(folder, { recursive: true });
