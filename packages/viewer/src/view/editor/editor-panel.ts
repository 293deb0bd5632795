/**
 * The panel with the description of the active flight. A text without errors is flown as a branch after a short pause;
 * while it has errors, the last valid flight stays.
 */
import { effect, signal, untracked } from "@preact/signals-core";
import { html, nothing, render } from "lit-html";
import { element } from "../../shared/elements.ts";
import { indexAt, ownIndexOf } from "../flights/own-events.ts";
import { iconButton } from "../flights/icon-button.ts";
import type { FileMap } from "../protocol.ts";
import type { ViewState } from "../store/state.ts";
import type { Store } from "../store/store.ts";
import type { TextEditor } from "./editor.ts";

/** Name of the flight's own text; the other texts are files that it names. */
const DESCRIPTION = "flight.toml";
/** Time from the last change until the text is flown. */
const FLY_DEBOUNCE_MS = 400;
/** Time from the last change until the text is checked. */
const CHECK_DEBOUNCE_MS = 120;

/**
 * Returns the text with which the active flight was opened. If its description has errors, there is no other text,
 * because no flight was made from it.
 */
function givenText({ active }: ViewState): string | undefined {
  return active.value?.given.value?.text;
}

export class EditorPanel {
  readonly node = element("aside", "editor");
  private readonly store: Store;
  private readonly host = element("div", "editor-place");
  private readonly foot = element("div", "editor-foot");
  private readonly tabs = element("div", "editor-tabs");
  /** The name of the text in the editor. */
  private readonly shown = signal(DESCRIPTION);
  private editor: TextEditor | undefined;
  private isLoading = false;
  private isReplacingText = false;
  private timers: ReturnType<typeof setTimeout>[] = [];
  /** The text that was flown last, so that showing it does not fly it again. */
  private flownText = "";

  constructor(store: Store) {
    this.store = store;
    const { state } = store;
    const close = iconButton("close", "Close the description", () => (state.isEditorOpen.value = false), "E");
    this.node.setAttribute("aria-label", "Description");
    this.node.append(element("div", "editor-head", this.tabs, close), this.host, this.foot);
    this.foot.setAttribute("aria-live", "polite");
    effect(() => {
      this.node.hidden = !state.isEditorOpen.value;
      if (state.isEditorOpen.value) void this.load();
    });
    effect(() => this.showTabs());
    effect(() => {
      const head = state.active.value?.head.value;
      const file = head?.files[this.shown.value];
      const text =
        file === undefined
          ? (head?.text ?? state.draft.value ?? givenText(state) ?? "")
          : new TextDecoder().decode(file);
      untracked(() => this.show(text));
    });
    effect(() => this.showDiagnostics());
    effect(() => this.goToOffset(state.editorOffset.value));
  }

  private async load(): Promise<void> {
    if (this.isLoading) {
      this.editor?.focus();
      return;
    }
    this.isLoading = true;
    const { TextEditor } = await import("./editor.ts");
    const { state } = this.store;
    const text = state.draft.peek() ?? state.active.peek()?.head.peek()?.text ?? givenText(state) ?? "";
    this.flownText = state.active.peek()?.head.peek()?.text ?? "";
    this.editor = new TextEditor({
      host: this.host,
      text,
      onChange: (changed) => this.change(changed),
      complete: (given, offset) => this.store.complete(given, offset),
      goToEvent: (given, offset) => this.goToEvent(given, offset),
    });
    this.editor.focus();
    this.goToOffset(state.editorOffset.peek());
    void this.store.check(text, this.files);
  }

  /** Shows one tab per text of the flight, if it has files. While a text has errors, the other tabs are disabled. */
  private showTabs(): void {
    const { active, diagnostics } = this.store.state;
    const names = [DESCRIPTION, ...Object.keys(active.value?.head.value?.files ?? {})];
    if (!names.includes(this.shown.value)) this.shown.value = DESCRIPTION;
    const hasErrors = diagnostics.value.length > 0;
    const tab = (name: string) =>
      html`<button
        role="tab"
        aria-selected=${this.shown.value === name ? "true" : "false"}
        ?disabled=${hasErrors && this.shown.value !== name}
        @click=${() => void this.switchTo(name)}
      >
        ${name}
      </button>`;
    if (names.length > 1) this.tabs.setAttribute("role", "tablist");
    else this.tabs.removeAttribute("role");
    render(names.length > 1 ? names.map(tab) : html`<b>${DESCRIPTION}</b> <span>the flight as text</span>`, this.tabs);
  }

  /** Flies the text in the editor if it has changed, then shows a different one. */
  private async switchTo(name: string): Promise<void> {
    if (this.editor !== undefined) await this.fly(this.editor.text);
    this.shown.value = name;
  }

  private goToOffset(offset: number | undefined): void {
    if (offset === undefined || this.editor === undefined) return;
    this.shown.value = DESCRIPTION;
    this.editor.goTo(offset);
    untracked(() => (this.store.state.editorOffset.value = undefined));
  }

  /** Moves the playhead to the event whose lines contain the cursor. */
  private goToEvent(text: string, offset: number): void {
    const { state, playhead } = this.store;
    const index = indexAt(text, offset);
    const flight = state.active.peek();
    const found = flight?.events.peek().find((event) => index !== undefined && ownIndexOf(flight, event) === index);
    if (found === undefined) return;
    playhead.pause();
    playhead.goTo(found.tUs);
  }

  private get files() {
    const { head, given } = this.store.state.active.peek() ?? {};
    return head?.peek()?.files ?? given?.peek()?.files ?? {};
  }

  /** Shows a text, unless the editor holds an unfinished one with errors. */
  private show(text: string): void {
    const { state } = this.store;
    if (this.editor === undefined || text === "" || text === this.editor.text) return;
    if (state.draft.peek() !== undefined && state.diagnostics.peek().length > 0) return;
    this.isReplacingText = true;
    this.flownText = text;
    this.editor.setText(text);
    this.isReplacingText = false;
    state.draft.value = undefined;
    const edited = this.textsWith(text);
    void this.store.check(edited.text, edited.files);
  }

  private change(text: string): void {
    if (this.isReplacingText) return;
    const { state } = this.store;
    if (this.shown.peek() === DESCRIPTION) state.draft.value = text;
    const edited = this.textsWith(text);
    for (const timer of this.timers) clearTimeout(timer);
    this.timers = [
      setTimeout(() => void this.store.check(edited.text, edited.files), CHECK_DEBOUNCE_MS),
      setTimeout(() => void this.fly(text), FLY_DEBOUNCE_MS),
    ];
  }

  /** Returns the flight's texts with one replaced: its description, or one of its files. */
  private textsWith(text: string): { readonly text: string; readonly files: FileMap } {
    const name = this.shown.peek();
    if (name === DESCRIPTION) return { text, files: this.files };
    const description = this.store.state.active.peek()?.head.peek()?.text ?? "";
    return { text: description, files: { ...this.files, [name]: new TextEncoder().encode(text) } };
  }

  private async fly(text: string): Promise<void> {
    const { state } = this.store;
    const edited = this.textsWith(text);
    if (text === this.flownText || !(await this.store.check(edited.text, edited.files))) return;
    // Stop if the text in the editor has changed while this one was being checked.
    if (this.editor?.text !== text) return;
    this.flownText = text;
    await this.store.branch({ kind: "text", ...edited }, "edited");
    if (state.draft.peek() === text) state.draft.value = undefined;
  }

  private showDiagnostics(): void {
    const diagnostics = this.store.state.diagnostics.value;
    this.editor?.showDiagnostics(this.shown.value === DESCRIPTION ? diagnostics : []);
    const count = diagnostics.length;
    const errors = count === 1 ? "1 error" : `${count} errors`;
    const summary = count === 0 ? "no errors" : `${errors}; the page still shows the last valid flight`;
    render(
      html`<p class=${count === 0 ? "good" : "bad"}>${count === 0 ? "✓" : "●"} ${summary}</p>
        ${
          count === 0
            ? nothing
            : html`<ul class="editor-errors">
                ${diagnostics.map(
                  ({ line, what, fix, from }) =>
                    html`<li>
                      <button @click=${() => this.editor?.goTo(from)}>
                        line ${line}: ${what} <small>${fix}</small>
                      </button>
                    </li>`,
                )}
              </ul>`
        }`,
      this.foot,
    );
  }
}
