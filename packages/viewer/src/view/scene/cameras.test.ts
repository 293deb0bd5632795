/** The camera keeps what it follows in view, and stays above the ground. */
import { flyFlightNow, mustResolve, coreRegistry, resolveFlight } from "@escapement/core";
import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { CAMERA_MODES, type CameraView } from "../store/state.ts";
import { CameraRig } from "./cameras.ts";

describe("the camera", () => {
  it("keeps the vehicle in the middle third over the whole mission, and never goes below the ground", () => {
    const resolved = mustResolve(resolveFlight({ file: "page", spec: { extends: "mission" } }, coreRegistry));
    const { track } = flyFlightNow(resolved);
    expect(track.north.length).toBeGreaterThan(100);
    const rig = new CameraRig();
    const place = new Vector3();
    for (const mode of CAMERA_MODES.filter((each) => each === "follow" || each === "chase" || each === "top")) {
      for (const elevationDeg of [-30, 17, 80]) {
        const view: CameraView = { mode, azimuthDeg: 205, elevationDeg, distanceM: 5.6 };
        let [farthest, lowestM] = [0, Infinity];
        track.north.forEach((north, i) => {
          const posNed = [north, track.east[i]!, -track.altitude[i]!];
          rig.place(view, { posNed, q: [1, 0, 0, 0], headingRad: i / 50 });
          place.set(posNed[1]!, -posNed[2]!, -posNed[0]!).project(rig.camera);
          farthest = Math.max(farthest, Math.abs(place.x), Math.abs(place.y));
          lowestM = Math.min(lowestM, rig.camera.position.y);
        });
        expect(farthest).toBeLessThan(1 / 3);
        expect(lowestM).toBeGreaterThan(0);
      }
    }
  });
});
