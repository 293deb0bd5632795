/** Flies in QuickJS compiled to WebAssembly, a JavaScript interpreter that shares no code with V8. */
import { getQuickJS } from "quickjs-emscripten";
import type { FlightSet } from "../reference-flights.ts";

export async function runInQuickJs(code: string, flights: FlightSet): Promise<unknown> {
  const quickJs = await getQuickJS();
  const context = quickJs.newContext();
  context.runtime.setMaxStackSize(1 << 21);
  try {
    const result = context.evalCode(`${code}\nJSON.stringify(referenceFlights.flyAll("${flights}"));`);
    const handle = context.unwrapResult(result);
    const text = context.getString(handle);
    handle.dispose();
    return JSON.parse(text);
  } finally {
    context.dispose();
  }
}
