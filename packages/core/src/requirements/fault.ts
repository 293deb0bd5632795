/** An error in the text of a requirement, with the characters to underline. */
import type { ErrorFactory, SimError } from "../errors/index.ts";
import type { Place } from "./tree.ts";

export function fault(
  make: ErrorFactory,
  text: string,
  [start, end]: Place,
  { what, fix }: { readonly what: string; readonly fix: string },
): SimError {
  const mark = { text, column: start + 1, length: Math.max(1, end - start) };
  return make({ what, where: { mark }, fix });
}
