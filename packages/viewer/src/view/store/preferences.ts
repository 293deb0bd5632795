/** Stores theme and layout in the browser, unless the browser forbids it. Nothing else is stored. */
import { effect } from "@preact/signals-core";
import type { ViewState } from "./state.ts";

const KEY = "escapement-view";

/** Applies stored preferences, and stores every later change. */
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
    // Without storage, the page starts with the defaults next time.
  }
}
