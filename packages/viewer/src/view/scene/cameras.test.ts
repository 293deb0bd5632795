/** The camera keeps its target in view, and stays above the ground. */
import { flyFlightNow, mustResolve, coreRegistry, resolveFlight } from "@escapement/core";
import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { CAMERA_MODES, type CameraView } from "../store/state.ts";
import { CameraRig } from "./cameras.ts";
import { placeUnder } from "./gust-arrow.ts";

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

  it("stays where it is while a new flight has no rows", () => {
    const rig = new CameraRig();
    const view: CameraView = { mode: "follow", azimuthDeg: 205, elevationDeg: 17, distanceM: 5.6 };
    rig.place(view, { posNed: [30, -20, -12], q: [1, 0, 0, 0], headingRad: 0 });
    const before = rig.camera.position.clone();
    rig.place(view, undefined);
    expect(rig.camera.position).toEqual(before);
  });

  it("finds the place under the pointer on the plane of a gust, and no place above the horizon", () => {
    const rig = new CameraRig();
    const view: CameraView = { mode: "follow", azimuthDeg: 205, elevationDeg: 30, distanceM: 9 };
    rig.place(view, { posNed: [30, -20, -12], q: [1, 0, 0, 0], headingRad: 0 });
    const size = { width: 800, height: 600 };
    const place = new Vector3(-17, 12, -31).project(rig.camera);
    const found = placeUnder(rig.camera, 400 * (1 + place.x), 300 * (1 - place.y), size, -12)!;
    expect(found[0]).toBeCloseTo(31, 6);
    expect(found[1]).toBeCloseTo(-17, 6);
    expect(placeUnder(rig.camera, 400, -3000, size, -12)).toBeUndefined();
  });
});
