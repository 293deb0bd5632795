/** From time to pixels and back, and zooming and moving the span that the page shows. */
import type { TimeSpan } from "../protocol.ts";
import type { ViewState } from "../store/state.ts";

/** A span is never shorter than this: a few boundaries. */
const LEAST_SPAN_US = 4000;

/** The span that is shown: the chosen one, or everything. */
export function shownSpan(state: ViewState): TimeSpan {
  return state.span.value ?? { fromUs: 0, toUs: Math.max(1e6, state.endUs.value) };
}

/** Zooms about a time; a factor above 1 shows more. If the whole flight is shown, the span is undefined. */
export function zoomSpan(state: ViewState, aboutUs: number, factor: number): void {
  const { fromUs, toUs } = shownSpan(state);
  const wholeUs = Math.max(1e6, state.endUs.value);
  const length = Math.max(LEAST_SPAN_US, (toUs - fromUs) * factor);
  const share = (aboutUs - fromUs) / (toUs - fromUs);
  setSpan(state, aboutUs - share * length, length, wholeUs);
}

/** Moves the span by a part of its own length. */
export function moveSpan(state: ViewState, share: number): void {
  const { fromUs, toUs } = shownSpan(state);
  const length = toUs - fromUs;
  setSpan(state, fromUs + share * length, length, Math.max(1e6, state.endUs.value));
}

function setSpan(state: ViewState, fromUs: number, length: number, wholeUs: number): void {
  if (length >= wholeUs * 0.999) {
    state.span.value = undefined;
    return;
  }
  const from = Math.max(0, Math.min(wholeUs - length, fromUs));
  state.span.value = { fromUs: Math.round(from), toUs: Math.round(from + length) };
}

/** Keeps the playhead in view while time is followed. */
export function followPlayhead(state: ViewState): void {
  const span = state.span.peek();
  const nowUs = state.nowUs.peek();
  if (span === undefined || (nowUs >= span.fromUs && nowUs <= span.toUs)) return;
  const length = span.toUs - span.fromUs;
  setSpan(state, nowUs - 0.3 * length, length, Math.max(1e6, state.endUs.peek()));
}
