/** Runs a small fraction of every attack; `npm run test:attack` runs more. */
import { describe, expect, it } from "vitest";
import { ATTACKS } from "./attacks.ts";

const CASES = 40;

describe("attacks", () => {
  it.each(ATTACKS)("$name causes only typed errors and no wrong data", async ({ prepare }) => {
    const run = await prepare(1);
    const verdicts = { accepted: 0, refused: 0 };
    for (let i = 0; i < CASES; i += 1) verdicts[await run(i)] += 1;
    expect(verdicts.refused).toBeGreaterThan(0);
    expect(verdicts.accepted + verdicts.refused).toBe(CASES);
  });
});
