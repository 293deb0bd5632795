/** The metadata about a flight in its log. */
import { coreRegistry, mustResolve, resolveFlight } from "@escapement/core";
import { expect, it } from "vitest";
import { flightLogOptions } from "./logs.ts";

it("a log contains every parameter of the flight, with PX4's types", () => {
  const spec = { extends: "mission", autopilot: { parameters: { MPC_XY_CRUISE: 3 } } };
  const { definition, hash } = mustResolve(resolveFlight({ file: "test", spec }, coreRegistry));
  const { parameters } = flightLogOptions(definition, hash, "1");
  expect(parameters).toHaveLength(Object.keys(definition.autopilot.parameters).length);
  expect(parameters!.length).toBeGreaterThan(117);
  expect(parameters).toContainEqual({ name: "MPC_XY_CRUISE", value: 3, type: "float" });
  expect(parameters).toContainEqual({ name: "MPC_Z_P", value: 1, type: "float" });
  expect(parameters).toContainEqual({ name: "MPC_USE_HTE", value: 1, type: "int32" });
  expect(parameters).toContainEqual({ name: "CA_ROTOR_COUNT", value: 4, type: "int32" });
});
