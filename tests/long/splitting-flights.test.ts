/**
 * Compares splitting with plain counting on real flights, in which turbulence pushes the hovering iris away from its
 * point. The probability is about one in a hundred, so 10 000 plain flights are enough to count it.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { clopperPearson } from "../../packages/campaign/src/statistics/binomial.ts";
import { type BuiltCommand, buildCommand } from "../support/command.ts";
import { EARLY_TAKE_OFF_TOML } from "../support/early-take-off.ts";

const PLAIN_FLIGHTS = 10_000;
const REPEATS = 20;
const PARTICLES = 16;
/** About the length of a gust. Shorter periods keep more checkpoints and take longer. */
const CHECK_PERIOD_S = 0.25;
const NAME = "stays near";

const campaignText = (seed: number, plan: string) => `
name = "drift"
seed = ${seed}

[flight]
extends = "hover"
vehicle = "iris-linear"
${EARLY_TAKE_OFF_TOML}timeline = { endS = 5 }
wind = { kind = "dryden", w20Mps = 15 }

[[requirements]]
name = "${NAME}"
text = "never positionError > 0.65 m during 2 s..5 s"

[plan]
${plan}
`;

let command: BuiltCommand;
let folder: string;

beforeAll(async () => {
  command = await buildCommand();
  folder = mkdtempSync(join(tmpdir(), "escapement-drift-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function summaryOf(name: string, text: string) {
  writeFileSync(join(folder, `${name}.campaign.toml`), text);
  const args = ["campaign", `${name}.campaign.toml`, "--no-cache", "--exit", "flown", "--json"];
  const { code, out, err } = await command.run(args, { cwd: folder });
  expect(code, err).toBe(0);
  return JSON.parse(out);
}

it(`the 95 % interval contains the counted probability in at least 19 of ${REPEATS} campaigns`, async () => {
  const plain = await summaryOf("plain", campaignText(1000, `kind = "random"\nflights = ${PLAIN_FLIGHTS}`));
  const { violated } = plain.requirements[0].flights;
  const counted = violated / PLAIN_FLIGHTS;
  const { lo, hi } = clopperPearson(violated, PLAIN_FLIGHTS, 0.95);
  expect(lo).toBeGreaterThan(0.003);
  expect(hi).toBeLessThan(0.03);
  let inside = 0;
  for (let seed = 1; seed <= REPEATS; seed += 1) {
    const plan = `kind = "splitting"\nparticles = ${PARTICLES}\ncheckPeriodS = ${CHECK_PERIOD_S}`;
    const { rareEvent } = await summaryOf(`split-${seed}`, campaignText(seed, plan));
    expect(rareEvent).toMatchObject({ isComplete: true, undecided: 0, confidence: 0.95 });
    inside += rareEvent.low <= counted && counted <= rareEvent.high ? 1 : 0;
  }
  expect(inside).toBeGreaterThanOrEqual(19);
}, 7_200_000);
