/** Shows errors as cards: what is wrong, where, and how to fix it. The rest of the page stays usable. */
import { effect } from "@preact/signals-core";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { element } from "../../shared/elements.ts";
import { verificationText } from "../header.ts";
import type { PlainError } from "../protocol.ts";
import type { Store } from "../store/store.ts";
import type { ViewFlight } from "../store/view-flight.ts";

const MAX_ERRORS = 4;

export function makeCards(store: Store): HTMLElement {
  const node = element("div", "cards");
  node.setAttribute("role", "region");
  node.setAttribute("aria-label", "Messages");
  node.setAttribute("aria-live", "polite");
  const { state } = store;
  effect(() => {
    const active = state.active.value;
    const cards = [
      ...(active === undefined ? [] : flightCards(active, store)),
      ...state.troubles.value.map(({ id, title, errors }) => card(store, title, errors, () => store.dismiss(id))),
    ];
    node.hidden = cards.length === 0;
    render(cards, node);
  });
  return node;
}

/** Builds the cards about problems of the active flight. */
function flightCards(flight: ViewFlight, store: Store): TemplateResult[] {
  const { isEditorOpen } = store.state;
  const cards: TemplateResult[] = [];
  const errors = flight.errors.value;
  if (errors.length > 0) {
    const title = errors.length === 1 ? "The description has an error" : `The description has ${errors.length} errors`;
    cards.push(
      card(
        store,
        title,
        errors,
        () => store.remove(flight.id),
        isEditorOpen.value ? undefined : () => (isEditorOpen.value = true),
      ),
    );
  }
  const verified = flight.verification.value;
  if (verified !== undefined && (verified.is === "other flight" || verified.is === "different bits")) {
    const title = verified.is === "other flight" ? "Not the same flight" : "The same flight with different bits";
    const what = verificationText(flight);
    const fix =
      verified.expected.version === ""
        ? ""
        : `The expected fingerprint was made by version ${verified.expected.version}.`;
    cards.push(card(store, title, [{ code: "", what, fix, where: {} }], () => (flight.expected.value = undefined)));
  }
  return cards;
}

function card(
  store: Store,
  title: string,
  errors: readonly PlainError[],
  close: () => void,
  edit?: () => void,
): TemplateResult {
  return html`<article class="card">
    <header>
      <h3>${title}</h3>
      <button class="text-button" @click=${close}>close</button>
    </header>
    ${errors.slice(0, MAX_ERRORS).map((error) => errorBody(error, store))}
    ${errors.length > MAX_ERRORS ? html`<p>and ${errors.length - MAX_ERRORS} more</p>` : nothing}
    ${edit === undefined ? nothing : html`<footer><button class="text-button" @click=${edit}>open the description</button></footer>`}
  </article>`;
}

function errorBody({ code, what, fix, where, excerpt }: PlainError, store: Store): TemplateResult {
  const place = [where.file, excerpt === undefined ? undefined : `line ${excerpt.line}`].filter(
    (part) => part !== undefined,
  );
  return html`<div>
    <p>${what}</p>
    ${excerpt === undefined ? nothing : html`<pre class="excerpt">${excerptText(excerpt)}</pre>`}
    ${fix === "" ? nothing : html`<p class="fix">→ ${fix}</p>`}
    ${code === "" ? nothing : html`<code>${[code, ...place].join(" · ")}</code> ${explanation(code, store)}`}
  </div>`;
}

/** Builds the details that explain an error code when they are opened. */
function explanation(code: string, store: Store): TemplateResult {
  const show = async ({ currentTarget }: Event) => {
    const node = currentTarget as HTMLDetailsElement;
    if (node.open) node.querySelector("p")!.textContent = await store.explain(code);
  };
  return html`<details @toggle=${show}>
    <summary>explain</summary>
    <p></p>
  </details>`;
}

function excerptText({ line, text, mark }: NonNullable<PlainError["excerpt"]>): string {
  const head = `${line} │ `;
  if (mark === undefined) return `${head}${text}`;
  return `${head}${text}\n${" ".repeat(String(line).length)} │ ${" ".repeat(Math.max(0, mark.column - 1))}${"~".repeat(Math.max(1, mark.length))}`;
}
