/** The events of the active flight as a list: a click goes there, hovering shows the instant without going there. */
import { eventTextAndNote } from "@escapement/core";
import { effect } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { element } from "../../shared/elements.ts";
import type { Store } from "../store/store.ts";

export function makeEventList(store: Store): HTMLElement {
  const node = element("ol", "event-list");
  node.setAttribute("aria-label", "Events");
  const { state, playhead } = store;
  effect(() => {
    const events = state.active.value?.events.value ?? [];
    const last = events.filter(({ tUs }) => tUs <= state.nowUs.value).length - 1;
    render(
      events.map(
        (event, i) =>
          html`<li>
            <button
              aria-current=${i === last ? "true" : nothing}
              @click=${() => {
                playhead.pause();
                playhead.goTo(event.tUs);
              }}
              @pointerenter=${() => (state.peekUs.value = event.tUs)}
              @pointerleave=${() => (state.peekUs.value = undefined)}
            >
              <time>${(event.tUs / 1e6).toFixed(2)} s</time>
              ${event.severity === "warning" ? html`<span class="bad">▲</span>` : html`<span></span>`}
              <span>${eventTextAndNote(event)}</span>
            </button>
          </li>`,
      ),
      node,
    );
  });
  return node;
}
