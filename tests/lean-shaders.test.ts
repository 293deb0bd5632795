/** The build removes the parts of shaders that the scene never compiles, and nothing else. */
import { describe, expect, it } from "vitest";
import { leanShader } from "../tools/lean-shaders.ts";

const lean = (...lines: readonly string[]) =>
  leanShader(`export default \`\n${lines.join("\n")}\n\`;`)
    .split("\n")
    .slice(1, -1);

describe("a lean shader", () => {
  it("has no comments, no indentation and no unused features", () => {
    expect(lean("// a", "#ifdef USE_CLEARCOAT", "  a();", "#else", "  b();", "#endif", "/* c", "*/ c();")).toEqual([
      "b();",
      "c();",
    ]);
    expect(lean("#ifdef USE_SHADOWMAP", "a();", "#endif")).toEqual(["#if defined( USE_SHADOWMAP )", "a();", "#endif"]);
  });

  it("begins with the first branch that can be used", () => {
    expect(
      lean("#if defined( USE_MAP )", "a();", "#elif defined( USE_COLOR )", "b();", "#else", "c();", "#endif"),
    ).toEqual(["#if defined( USE_COLOR )", "b();", "#else", "c();", "#endif"]);
    expect(lean("#ifdef USE_COLOR", "#ifdef USE_FOG", "a();", "#endif", "b();", "#endif")).toEqual([
      "#if defined( USE_COLOR )",
      "b();",
      "#endif",
    ]);
  });

  it.each([
    ["NUM_POINT_LIGHTS > 0", false],
    ["NUM_DIR_LIGHTS > 0", true],
    ["defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0", false],
    ["( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 )", true],
    ["defined( USE_ENVMAP ) || ( defined( USE_MAP ) && defined( STANDARD ) )", false],
    ["! defined( USE_TANGENT )", true],
    ["UNROLLED_LOOP_INDEX == 0", true],
  ])("keeps the condition %s: %s", (condition, isKept) => {
    expect(lean(`#if ${condition}`, "a();", "#endif").includes("a();")).toBe(isKept);
  });

  it("does not change a text with an unclosed condition", () => {
    expect(lean("#ifdef USE_MAP", "a();")).toEqual(["#ifdef USE_MAP", "a();"]);
  });
});
