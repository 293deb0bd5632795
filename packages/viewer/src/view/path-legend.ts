/** The legend of the path's colours: a button that changes their meaning, and the range of their values. */
import { effect } from "@preact/signals-core";
import { element, numberText } from "../shared/elements.ts";
import { pathScale, rampGradient } from "./data/path-colours.ts";
import { openMenu } from "./help/menu.ts";
import { PATH_COLOURINGS, type PathColouring, type ViewState } from "./store/state.ts";

const NAMES: Readonly<Record<PathColouring, string>> = {
  flight: "path colour: flight",
  mode: "path colour: mode",
  speed: "path colour: speed",
  error: "path colour: position error",
};

export function makePathLegend(state: ViewState, isDark: () => boolean): HTMLElement {
  const name = element("span", "");
  const ramp = element("i", "ramp");
  const range = element("small", "");
  const node = element("button", "path-legend", name, ramp, range);
  node.title = "What the colours along the path show (Shift+C)";
  node.setAttribute("aria-haspopup", "menu");
  node.addEventListener("click", () =>
    openMenu(
      node,
      PATH_COLOURINGS.map((by) => ({ label: NAMES[by], run: () => (state.pathColouring.value = by) })),
    ),
  );
  effect(() => {
    const colouring = state.pathColouring.value;
    const flight = state.active.value;
    void [flight?.rowCount.value, flight?.rows.value, state.isDark.value];
    name.textContent = NAMES[colouring];
    const scale = flight === undefined ? undefined : pathScale(flight, colouring);
    ramp.hidden = scale === undefined;
    range.hidden = scale === undefined;
    if (scale === undefined) return;
    ramp.style.backgroundImage = rampGradient(isDark());
    range.textContent = `0 … ${numberText(scale.high, 1)} ${scale.unit}`;
  });
  return node;
}

/** Switches to the next way to colour the path. */
export function changePathColouring({ pathColouring }: ViewState): void {
  const at = PATH_COLOURINGS.indexOf(pathColouring.peek());
  pathColouring.value = PATH_COLOURINGS[(at + 1) % PATH_COLOURINGS.length]!;
}
