/** Preferences that stay in the browser: theme and layout. Nothing else is stored, and a browser may forbid it. */
import { effect } from "@preact/signals-core";
import type { ViewState } from "./state.ts";

const KEY = "escapement-view";

/** Applies what was stored, and stores every change from now on. */
export function keepPreferences({ theme, arePlotsShown, isHudShown, sideWidth, editorWidth }: ViewState): void {
  const stored = read();
  if (stored["theme"] === "dark" || stored["theme"] === "light") theme.value = stored["theme"];
  if (typeof stored["plots"] === "boolean") arePlotsShown.value = stored["plots"];
  if (typeof stored["hud"] === "boolean") isHudShown.value = stored["hud"];
  if (typeof stored["side"] === "number") sideWidth.value = stored["side"];
  if (typeof stored["editor"] === "number") editorWidth.value = stored["editor"];
  effect(() => {
    const [plots, hud] = [arePlotsShown.value, isHudShown.value];
    write({ theme: theme.value, plots, hud, side: sideWidth.value, editor: editorWidth.value });
  });
}

function read(): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof found === "object" && found !== null ? (found as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function write(preferences: object): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // A page without storage starts with the defaults next time.
  }
}
