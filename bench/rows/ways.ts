/**
 * The ways of evaluating a flight's equations: code generated for the vehicle at run time (`compiled`), code generated
 * at build time, which is used if code generation is forbidden (`prebuilt`), and the equations as written (`written`).
 */
export type Way = "compiled" | "prebuilt" | "written";

export const WAYS: Readonly<Record<Way, { readonly text: string; readonly codegen: boolean }>> = {
  compiled: { text: "compiled", codegen: true },
  prebuilt: { text: "compiled at build time, code generation forbidden", codegen: true },
  written: { text: "as written", codegen: false },
};

/** Flags of Node that forbid code generation from strings. */
export const FORBID_CODEGEN_FLAGS = ["--disallow-code-generation-from-strings"];

/** Throws if the flight was not evaluated in the way that the row claims. */
export function checkWay(way: Way, code: string): void {
  const isWrong = code.includes("reference") !== (way === "written");
  if (isWrong || (way === "prebuilt" && !code.includes("build time")))
    throw new Error(`a row of kind "${way}" was evaluated by ${code}`);
}
