/** The text of `escapement trim`: the table, and scripts that other programs read. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { linearise, speedSweep } from "@escapement/core";
import { rig } from "../../../../tests/support/plant.ts";
import { colourless } from "./style.ts";
import { linearText, matrixScript, trimText } from "./trim.ts";

const { plant } = rig("iris");
const model = linearise(plant);

describe("trim", () => {
  it("lists one row per speed, and the speeds of longest endurance and range", () => {
    const flights = speedSweep(plant, { stepMps: 4, limitMps: 16 });
    const text = trimText(
      { name: "iris", vehicle: plant.vehicle, hover: plant.trim(), flights, stepMps: 4 },
      colourless,
    );
    expect(text).toContain("top speed between 16 and 20 m/s");
    expect(text).not.toContain("climb");
    for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(text.match(/^ +\d+\.0 {2}/gm)).toHaveLength(5);
    expect(text).toMatch(/longest endurance near \d+ m\/s, longest range near \d+ m\/s/);
    expect(text).not.toMatch(/NaN|-0\.0 /);
  });

  it("shows derivatives and modes", () => {
    const text = linearText(model, colourless);
    for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
    expect(text).toMatch(/X_u -0\.\d+ {2}Y_v -0\.\d+/);
    expect(text).toMatch(/0\.\d+ ± \d\.\d+i .* grows {2}pitch u q/);
    expect(text).toMatch(/× 3 +integrator/);
  });

  it("the MATLAB script has a row per line and ends its statements", () => {
    const script = matrixScript(model, "iris", "matlab");
    const [, rows] = /A = \[\n([\s\S]*?)\];/.exec(script)!;
    expect(rows!.trim().split("\n")).toHaveLength(16);
    expect(script).toMatch(/^% Linear model of iris/);
  });

  it("the Python script gives numpy the same matrices", ({ skip }) => {
    const found = spawnSync("python3", ["-c", "import numpy"]);
    if (found.status !== 0) skip("python3 with numpy is not installed");
    const print =
      "\nimport json\nprint(json.dumps([A.tolist(), B.tolist(), C.tolist(), D.tolist(), list(x0), list(u0)]))\n";
    const { stdout } = spawnSync("python3", ["-"], { input: matrixScript(model, "iris", "python") + print });
    const { A, B, C, D, state, input } = model;
    expect(JSON.parse(String(stdout))).toEqual(JSON.parse(JSON.stringify([A, B, C, D, state, input])));
  });
});
