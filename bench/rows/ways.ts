/**
 * The ways of evaluating a flight's equations: code generated for the vehicle, code contained in the package if code
 * generation is forbidden, and the equations as written.
 */
export type Way = "compiled" | "forbidden" | "written";

export const WAYS: Readonly<Record<Way, { readonly text: string; readonly codegen: boolean }>> = {
  compiled: { text: "compiled", codegen: true },
  forbidden: { text: "compiled at build time, code generation forbidden", codegen: true },
  written: { text: "as written", codegen: false },
};

/** Flags of a process that forbids code generation. */
export const FORBIDDEN = ["--disallow-code-generation-from-strings"];

/** Throws if the flight was not evaluated in the way that the row claims. */
export function checkWay(way: Way, code: string): void {
  const isWrong = code.includes("reference") !== (way === "written");
  if (isWrong || (way === "forbidden" && !code.includes("build time"))) throw new Error(`"${way}" runs ${code}`);
}
