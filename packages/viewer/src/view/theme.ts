/** The theme of the page: the reader's choice, or else the system's. */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals-core";
import type { ViewState } from "./store/state.ts";

/**
 * Applies the theme, and follows the system while none is chosen. Returns a signal that is true while the page is dark.
 */
export function applyTheme(state: ViewState): ReadonlySignal<boolean> {
  const query = matchMedia("(prefers-color-scheme: light)");
  const isSystemLight = signal(query.matches);
  query.addEventListener("change", () => (isSystemLight.value = query.matches));
  const isDark = computed(() => (state.theme.value === "system" ? !isSystemLight.value : state.theme.value === "dark"));
  effect(() => {
    document.documentElement.dataset["theme"] = isDark.value ? "dark" : "light";
  });
  return isDark;
}
