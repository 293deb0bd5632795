/** The theme of the page: the reader's choice, or else the system's. */
import { effect, signal } from "@preact/signals-core";
import type { ViewState } from "./store/state.ts";

/** Applies the theme, and follows the system while none is chosen. */
export function applyTheme({ theme, isDark }: ViewState): void {
  const query = matchMedia("(prefers-color-scheme: light)");
  const isSystemLight = signal(query.matches);
  query.addEventListener("change", () => (isSystemLight.value = query.matches));
  effect(() => {
    const shown = theme.value === "system" ? (isSystemLight.value ? "light" : "dark") : theme.value;
    document.documentElement.dataset["theme"] = shown;
    // Set this after the theme: it makes the canvases draw again, with the new colours of the page.
    isDark.value = shown === "dark";
  });
}
