/** A module for `--with` whose wind misbehaves in the ways that a custom part can. */
export const MISBEHAVING_PARTS = `
const acts = {
  well: () => {},
  throw: () => { throw new Error("the wind part gave up"); },
  exit: () => process.exit(3),
  loop: () => { for (;;); },
  memory: () => { const held = []; for (;;) held.push(new Array(1e6).fill(held.length)); },
};
export const winds = [{
  name: "misbehaving", about: "Misbehaves after one second.", version: 1,
  params: { act: { type: "choice", options: Object.keys(acts), default: "well", about: "What it does." } },
  make: ({ act }) => ({
    sampleInto(windNed, { clock }) { windNed.fill(0); if (clock.s > 1) acts[act](); },
    save() {}, load() {},
  }),
}];
`;

/** Returns a campaign with one flight per act. */
export function misbehavingCampaign(acts: readonly string[]): string {
  return `
name = "misbehaving"
seeds = "common"
flight = { extends = "hover", timeline = { endS = 2 }, wind = { kind = "misbehaving" } }
criteria = ["every flight: low"]

[plan]
kind = "grid"

[vary]
"wind.act" = { list = ${JSON.stringify(acts)} }

[[requirements]]
name = "low"
text = "always altitude < 50 m"
`;
}
