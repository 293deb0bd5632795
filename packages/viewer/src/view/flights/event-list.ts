/**
 * The list of the active flight's events. A click moves the playhead to an event; hovering only previews its instant.
 */
import { eventText, eventTextAndNote, type FlightEvent } from "@escapement/core";
import { effect } from "@preact/signals-core";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { element } from "../../shared/elements.ts";
import { askText } from "../help/dialogs.ts";
import { parseTime } from "../store/playhead.ts";
import type { Store } from "../store/store.ts";
import { movableOf, moveEvent, offsetOf, ownIndexOf } from "./own-events.ts";

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
              @focus=${({ target }: Event) => {
                if ((target as HTMLElement).matches(":focus-visible")) state.peekUs.value = event.tUs;
              }}
              @blur=${() => (state.peekUs.value = undefined)}
            >
              <time>${(event.tUs / 1e6).toFixed(2)} s</time>
              ${event.severity === "warning" ? html`<span class="bad">▲</span>` : html`<span></span>`}
              <span>${eventTextAndNote(event)}</span>
            </button>
            ${ownButtons(event, store)}
          </li>`,
      ),
      node,
    );
  });
  return node;
}

/** Builds the buttons of an event that the flight's own text lists: show it in the text, and move it. */
function ownButtons(event: FlightEvent, store: Store): TemplateResult | typeof nothing {
  const { state } = store;
  const flight = state.active.peek();
  const index = flight === undefined ? undefined : ownIndexOf(flight, event);
  const offset = index === undefined ? undefined : offsetOf(flight?.head.peek()?.text ?? "", index);
  if (flight === undefined || offset === undefined) return nothing;
  const text = eventText(event);
  const show = () => {
    state.isEditorOpen.value = true;
    state.editorOffset.value = offset;
  };
  const move = () =>
    askText(
      `Move to a different time: ${text}`,
      (event.tUs / 1e6).toFixed(3),
      "for example 24.004, 1:12.5, or +3",
      (typed) => {
        const toUs = parseTime(typed, event.tUs);
        if (toUs !== undefined) void moveEvent(store, event, toUs);
      },
    );
  return html`<span class="own">
    ${
      movableOf(flight, event) === undefined
        ? nothing
        : html`<button class="text-button" aria-label=${`Move: ${text}`} @click=${move}>move…</button>`
    }
    <button class="text-button" aria-label=${`show in text: ${text}`} @click=${show}>show in text</button>
  </span>`;
}
