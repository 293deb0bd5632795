/** Keys, gamepads and pads give the stick positions that pilots expect. */
import { describe, expect, it } from "vitest";
import { combinePositions, isStickKey, positionsOfGamepads, positionsOfKeys } from "./stick-input.ts";

describe("stick positions", () => {
  it("follow the held keys, fully with Shift, and opposite keys cancel", () => {
    expect(combinePositions(positionsOfKeys(["KeyW", "ArrowLeft"], false))).toEqual([0, 0.6, -0.6, 0]);
    expect(combinePositions(positionsOfKeys(["KeyA", "ArrowUp"], true))).toEqual([-1, 0, 0, 1]);
    expect(combinePositions(positionsOfKeys(["KeyW", "KeyS"], true))).toEqual([0, 0, 0, 0]);
    expect([isStickKey("KeyW"), isStickKey("KeyV"), isStickKey("toString")]).toEqual([true, false, false]);
  });

  it("follow the first gamepad with two sticks, in mode 2", () => {
    const axes = [0.5, -1, -0.3, 0.72];
    expect(combinePositions(positionsOfGamepads([null, { connected: true, axes }]))).toEqual([-0.3, -0.7, 0.5, 1]);
    expect(combinePositions(positionsOfGamepads([{ connected: false, axes }]))).toEqual([0, 0, 0, 0]);
    expect(combinePositions(positionsOfGamepads([{ connected: true, axes: [1, 1] }]))).toEqual([0, 0, 0, 0]);
  });

  it("are centred in the dead zone, rounded to steps, and limited", () => {
    expect(combinePositions([0.09, -0.1, 0.333, 2])).toEqual([0, -0.1, 0.35, 1]);
    expect(combinePositions([0.6, 0, 0, 0], [0.6, 0, 0, Number.NaN])).toEqual([1, 0, 0, 0]);
  });
});
