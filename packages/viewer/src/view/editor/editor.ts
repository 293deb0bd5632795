/**
 * The text editor of the description, with highlighting, and with completion and errors from the same tables as the
 * command-line program.
 *
 * It is mounted in a shadow root, where it uses constructed style sheets. Elsewhere it would add `<style>` elements,
 * which the page's content security policy forbids. The page loads this module when the editor is first opened.
 */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from "@codemirror/autocomplete";
import { history, historyKeymap, standardKeymap } from "@codemirror/commands";
import { StreamLanguage, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { TextDiagnostic, Offer } from "../protocol.ts";

interface EditorOptions {
  readonly host: HTMLElement;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Moves the playhead to the event at an offset. */
  readonly goToEvent: (text: string, offset: number) => void;
  readonly complete: (
    text: string,
    offset: number,
  ) => Promise<{ readonly from: number; readonly to: number; readonly offers: readonly Offer[] } | undefined>;
}

/** CodeMirror's completion type for each `kind` of an `Offer`. */
const KINDS: Readonly<Record<string, string>> = {
  key: "property",
  value: "constant",
};

/** Uses the page's colours; custom properties are inherited by the shadow root. */
const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: [tags.number, tags.bool], color: "var(--code-number)" },
  { tag: [tags.propertyName, tags.attributeName], color: "var(--code-key)" },
  { tag: [tags.heading, tags.atom, tags.bracket], color: "var(--code-head)" },
]);

const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--bg)", fontSize: "12.5px" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", lineHeight: "19px" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--bg)", color: "var(--quiet)", border: "none" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--raised) 60%, transparent)" },
  "& ::selection": { backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)" },
  "&.cm-focused": { outline: "none" },
  ".cm-tooltip": {
    backgroundColor: "var(--panel)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
  },
  // The explanation of a completion is shown beside the list, so only the list itself may clip its content.
  "& .cm-tooltip-autocomplete ul": { borderRadius: "8px" },
  "& .cm-tooltip-autocomplete ul li": { padding: "2px 10px" },
  "& .cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "color-mix(in srgb, var(--accent) 24%, var(--panel))",
    color: "var(--text)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", color: "var(--accent)" },
  ".cm-completionDetail": { color: "var(--quiet)", fontStyle: "normal", marginLeft: "10px" },
  ".cm-completionInfo": { padding: "6px 10px", maxWidth: "280px" },
  // On a narrow screen the explanation of a completion would cover the list.
  "@media (max-width: 759px)": { ".cm-completionInfo": { display: "none" } },
  ".cm-diagnostic": { padding: "4px 10px", borderLeft: "3px solid var(--trouble)" },
});

export class TextEditor {
  private readonly view: EditorView;

  constructor({ host, text, onChange, complete, goToEvent }: EditorOptions) {
    const runGoToEvent = ({ state }: EditorView) => {
      goToEvent(state.doc.toString(), state.selection.main.head);
      return true;
    };
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          history(),
          highlightActiveLine(),
          StreamLanguage.define(toml),
          syntaxHighlighting(COLOURS),
          autocompletion({ icons: false, override: [(context) => offersAt(context, complete)] }),
          lintGutter(),
          keymap.of([
            { key: "Mod-Enter", run: runGoToEvent },
            ...completionKeymap,
            ...historyKeymap,
            ...standardKeymap,
          ]),
          EditorView.contentAttributes.of({ "aria-label": "Description of the flight" }),
          EditorView.domEventHandlers({ beforeinput: replaceSelection }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.state.doc.toString());
          }),
          THEME,
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the text, e.g. when a different flight is shown. */
  setText(text: string): void {
    if (text === this.text) return;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** Underlines errors, each with its fix, and offers the replacement if there is one. */
  showDiagnostics(found: readonly TextDiagnostic[]): void {
    const end = this.view.state.doc.length;
    const diagnostics = found.map(({ from, to, what, fix, code, severity, replacement }): Diagnostic => {
      const start = Math.min(from, end);
      const stop = Math.max(start, Math.min(to, end));
      const apply = (view: EditorView) => view.dispatch({ changes: { from: start, to: stop, insert: replacement! } });
      return {
        from: start,
        to: stop,
        severity,
        message: `${what}. ${fix}`,
        source: code,
        ...(replacement === undefined ? {} : { actions: [{ name: `write ${replacement}`, apply }] }),
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Moves the cursor to an offset and scrolls it into view. */
  goTo(offset: number): void {
    const at = Math.max(0, Math.min(offset, this.view.state.doc.length));
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  focus(): void {
    this.view.focus();
  }
}

/**
 * Replaces selected text by typed text. Chromium would put the new text into an element with the style of the old text
 * as an attribute, which the page's policy blocks and reports.
 */
function replaceSelection({ inputType, data, isComposing }: InputEvent, view: EditorView): boolean {
  if (inputType !== "insertText" || data === null || isComposing || view.state.selection.main.empty) return false;
  view.dispatch(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

async function offersAt(
  context: CompletionContext,
  complete: EditorOptions["complete"],
): Promise<CompletionResult | null> {
  const before = context.matchBefore(/[\w"./-]+$/);
  if (before === null && !context.explicit) return null;
  const answer = await complete(context.state.doc.toString(), context.pos);
  if (answer === undefined || answer.offers.length === 0) return null;
  return {
    from: answer.from,
    to: answer.to,
    options: answer.offers.map(({ label, insert, kind, detail, about }) => ({
      label,
      type: KINDS[kind] ?? "text",
      ...(insert === undefined ? {} : { apply: insert }),
      ...(detail === undefined ? {} : { detail }),
      ...(about === undefined ? {} : { info: about }),
    })),
  };
}
