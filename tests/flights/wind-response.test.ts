/** The embedded autopilot holds every built-in vehicle in a mean wind with matching turbulence. */
import { expect, it } from "vitest";
import { coreRegistry, flyFlightNow, mustResolve, resolveFlight } from "@escapement/core";

const LIGHT_MPS = 7.7;

it.each(["iris", "x500", "hexa", "octa"])("%s hovers in light turbulence and its mean wind", (vehicle) => {
  const spec = {
    extends: "hover",
    vehicle,
    wind: {
      kind: "sum",
      constant: [{ windNedMps: [-LIGHT_MPS, 0, 0] }],
      dryden: [{ w20Mps: LIGHT_MPS }],
    },
    timeline: { endS: 40 },
  };
  const flown = flyFlightNow(mustResolve(resolveFlight({ file: "test", spec }, coreRegistry)));
  const position = flown.signal("posNed");
  const rotation = flown.signal("gustRateNed");
  let [farthest, turned] = [0, 0];
  for (let tenths = 200; tenths <= 400; tenths += 1) {
    const s = tenths / 10;
    const [n, e, d] = position.at(s) as unknown as [number, number, number];
    farthest = Math.max(farthest, Math.hypot(n, e, d + 10));
    turned = Math.max(turned, Math.abs(rotation.at(s)[1]!));
  }
  expect(farthest).toBeGreaterThan(0.05);
  expect(farthest).toBeLessThan(2);
  // The air rotates by about 10°/s, and the vehicle stays upright in its wind.
  expect(turned).toBeGreaterThan(0.05);
  expect(turned).toBeLessThan(1.5);
  const [w, x, y, z] = flown.signal("qBodyToNed").at(40) as unknown as [number, number, number, number];
  expect(w * w - x * x - y * y + z * z).toBeGreaterThan(Math.cos((30 * Math.PI) / 180));
});
