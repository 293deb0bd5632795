/**
 * Collects garbage now. V8 collects old objects only after the heap has grown several times, so writing a long table
 * would take far more memory than it needs. This changes no result.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

export function collectGarbage(): void {
  if (collect === undefined) {
    // The function `gc` exists in contexts that are made after the flag is set.
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}
