/** A dialog for choosing from a long list by typing: quantities, commands, flights. */
import { html, nothing, render, type TemplateResult } from "lit-html";
import { element } from "../../shared/elements.ts";

interface Choice {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly group?: string;
  readonly key?: string;
}

interface ChooserOptions {
  readonly title: string;
  readonly placeholder: string;
  readonly choices: readonly Choice[];
  /** Converts a text that is not among the choices to an id; undefined if it is not valid. */
  readonly free?: (text: string) => string | undefined;
  readonly onChoice: (id: string) => void;
  /** Lets the reader drag a choice; the dialog closes when the drag starts. */
  readonly onDrag?: (id: string, event: DragEvent) => void;
}

const MAX_SHOWN = 60;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

export function openChooser(options: ChooserOptions): void {
  const { dialog, input, list } = parts(options);
  let chosen = 0;
  let shown: readonly Choice[] = [];
  const choose = (choice: Choice | undefined) => {
    const id = choice?.id ?? options.free?.(input.value.trim());
    if (id === undefined) return;
    dialog.close();
    options.onChoice(id);
  };
  const drag = (choice: Choice, event: DragEvent) => {
    options.onDrag?.(choice.id, event);
    // A browser ends the drag immediately if its source disappears while it starts.
    setTimeout(() => dialog.close());
  };
  const update = () => {
    shown = findMatches(options, input.value.trim());
    chosen = Math.max(0, Math.min(shown.length - 1, chosen));
    render(
      shown.map((choice, i) => {
        const onDrag = options.onDrag === undefined ? undefined : (event: DragEvent) => drag(choice, event);
        return entry(choice, i === chosen, i, () => choose(choice), onDrag);
      }),
      list,
    );
    if (shown.length === 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", `choice-${chosen}`);
    list.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  };
  input.addEventListener("input", () => {
    chosen = 0;
    update();
  });
  input.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (step === undefined && event.key !== "Enter") return;
    event.preventDefault();
    chosen += step ?? 0;
    if (step === undefined) choose(shown[chosen]);
    else update();
  });
  document.body.append(dialog);
  dialog.showModal();
  update();
  input.focus();
}

function parts({ title, placeholder }: ChooserOptions) {
  const dialog = element("dialog", "chooser") as HTMLDialogElement;
  const input = element("input", "") as HTMLInputElement;
  const list = element("div", "choices");
  dialog.setAttribute("aria-label", title);
  list.id = "choices";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", title);
  input.placeholder = placeholder;
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-controls": "choices",
    "aria-expanded": "true",
    "aria-autocomplete": "list",
    "aria-label": title,
    autocomplete: "off",
    spellcheck: "false",
  })) {
    input.setAttribute(name, value);
  }
  dialog.append(input, list);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => dialog.remove());
  return { dialog, input, list };
}

function entry(
  choice: Choice,
  isChosen: boolean,
  index: number,
  run: () => void,
  onDrag: ((event: DragEvent) => void) | undefined,
): TemplateResult {
  const { label, detail = "", group, key } = choice;
  return html`<div
    role="option"
    id=${`choice-${index}`}
    class=${isChosen ? "choice chosen" : "choice"}
    aria-selected=${isChosen ? "true" : "false"}
    draggable=${onDrag === undefined ? "false" : "true"}
    @click=${run}
    @dragstart=${onDrag}
  >
    <span>${label}</span>
    ${detail === "" ? nothing : html`<small>${detail}</small>`}
    ${group === undefined ? nothing : html`<em>${group}</em>`} ${key === undefined ? nothing : html`<kbd>${key}</kbd>`}
  </div>`;
}

function findMatches({ choices, free }: ChooserOptions, text: string): readonly Choice[] {
  if (text === "") return choices.slice(0, MAX_SHOWN);
  const ranked = choices
    .map((choice) => ({ choice, rank: rankOf(text.toLowerCase(), choice) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice);
  const freeId = free?.(text);
  const isNew = freeId !== undefined && !ranked.some(({ id }) => id === freeId);
  return [...(isNew ? [{ id: freeId, label: freeId, group: "derived" }] : []), ...ranked].slice(0, MAX_SHOWN);
}

/** Ranks a match; lower is better: a prefix, a substring, the letters in order. Infinity means no match. */
function rankOf(wanted: string, { label, id, detail = "" }: Choice): number {
  const ranks = [label, id, detail].map((each, i) => {
    const given = each.toLowerCase();
    if (given.startsWith(wanted)) return i;
    const at = given.indexOf(wanted);
    if (at >= 0) return 3 + i + at / 100;
    return i < 2 && hasInOrder(given, wanted) ? 10 + given.length / 100 : Infinity;
  });
  return Math.min(...ranks);
}

function hasInOrder(given: string, wanted: string): boolean {
  let at = -1;
  for (const letter of wanted) {
    at = given.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
