/** Dark or light: the reader's choice, or else the system's. */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals-core";
import type { ViewState } from "./store/state.ts";

/** True while the page is dark. Sets the page's theme, and follows the system while no theme is chosen. */
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
