/** The description of a recorded flight is the same flight, judged by the same requirements. */
import { flyFlightNow, mustResolve, resolveFlight } from "@escapement/core";
import { describe, expect, it } from "vitest";
import { recordedText } from "./recorded-text.ts";
import { registry, resolveText } from "./texts.ts";

const SPEC = {
  extends: "drop",
  timeline: { endS: 0.2 },
  requirements: ["never tilt > 60 deg", { name: "low", text: "always altitude < 5 m", severity: "warning" }],
};

describe("the description of a recorded flight", () => {
  const resolved = mustResolve(resolveFlight({ file: "test", spec: SPEC }, registry));
  const { recording } = flyFlightNow(resolved);

  it("has the recorded requirements", () => {
    const text = recordedText({ ...recording, requirements: resolved.judged.requirements })!;
    expect(resolveText(text, {}).resolved).toMatchObject({ hash: resolved.hash, judged: resolved.judged });
  });

  it("has no requirements if the recording has none", () => {
    expect(recordedText(recording)).not.toContain("requirements");
  });

  it("does not exist if a requirement cannot be read", () => {
    const requirements = [{ ...resolved.judged.requirements[0]!, text: "sometimes glow > 3 lux" }];
    expect(recordedText({ ...recording, requirements })).toBeUndefined();
  });
});
