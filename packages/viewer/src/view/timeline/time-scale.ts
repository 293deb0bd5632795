/** The time span that the page shows: zooms and moves it. */
import type { TimeSpan } from "../protocol.ts";
import type { ViewState } from "../store/state.ts";

/** Shortest span, which contains a few boundaries. */
const MIN_SPAN_US = 4000;

/** Returns the shown span: the chosen one, or the whole flight. */
export function shownSpan(state: ViewState): TimeSpan {
  return state.span.value ?? { fromUs: 0, toUs: Math.max(1e6, state.endUs.value) };
}

/** Zooms about a time; a factor above 1 shows more. If this shows the whole flight, the span becomes undefined. */
export function zoomSpan(state: ViewState, aboutUs: number, factor: number): void {
  const { fromUs, toUs } = shownSpan(state);
  const wholeUs = Math.max(1e6, state.endUs.value);
  const length = Math.max(MIN_SPAN_US, (toUs - fromUs) * factor);
  const fraction = (aboutUs - fromUs) / (toUs - fromUs);
  setSpan(state, aboutUs - fraction * length, length, wholeUs);
}

/** Moves the span by a fraction of its length. */
export function moveSpan(state: ViewState, fraction: number): void {
  const { fromUs, toUs } = shownSpan(state);
  const length = toUs - fromUs;
  setSpan(state, fromUs + fraction * length, length, Math.max(1e6, state.endUs.value));
}

function setSpan(state: ViewState, fromUs: number, length: number, wholeUs: number): void {
  if (length >= wholeUs * 0.999) {
    state.span.value = undefined;
    return;
  }
  const from = Math.max(0, Math.min(wholeUs - length, fromUs));
  state.span.value = { fromUs: Math.round(from), toUs: Math.round(from + length) };
}

/** Moves the span so that it contains the playhead. */
export function followPlayhead(state: ViewState): void {
  const span = state.span.peek();
  const nowUs = state.nowUs.peek();
  if (span === undefined || (nowUs >= span.fromUs && nowUs <= span.toUs)) return;
  const length = span.toUs - span.fromUs;
  setSpan(state, nowUs - 0.3 * length, length, Math.max(1e6, state.endUs.peek()));
}
