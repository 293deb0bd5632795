/**
 * The ways in which a flight can have its equations worked: by code made for the vehicle, by the code that the package
 * carries where making any is forbidden, and as they are written.
 */
export type Way = "specialised" | "forbidden" | "written";

export const WAYS: Readonly<Record<Way, { readonly text: string; readonly codegen: boolean }>> = {
  specialised: { text: "specialised", codegen: true },
  forbidden: { text: "ready-made, code generation forbidden", codegen: true },
  written: { text: "as written", codegen: false },
};

/** Flags of a process in which no code can be made. */
export const FORBIDDEN = ["--disallow-code-generation-from-strings"];

/** A way that turns out to be another one would measure something else than the row says. */
export function checkWay(way: Way, code: string): void {
  const isSo = way === "written" ? code.startsWith("reference") : code.startsWith("specialised");
  if (!isSo || (way === "forbidden" && !code.includes("ready-made"))) throw new Error(`"${way}" runs ${code}`);
}
