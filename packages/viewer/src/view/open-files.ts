/** Opens files that the reader chooses, drops on the page or pastes, and pasted texts and links. */
import { plainErrorOf } from "./errors.ts";
import type { Store } from "./store/store.ts";

/** Opens the flight in a link; resolves to false if the text is not a link to this page. */
type OpenLink = (text: string) => Promise<boolean>;

/**
 * The open file chooser. Without this reference a browser could garbage-collect it while it is open.
 */
let chooser: HTMLInputElement | undefined;

export function chooseFiles(store: Store): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.hidden = true;
  input.addEventListener("change", () => void openAll(store, [...(input.files ?? [])]));
  chooser?.remove();
  chooser = input;
  document.body.append(input);
  input.click();
}

export function listenToDrops(store: Store, openLink: OpenLink): void {
  const { body } = document;
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true;
  document.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    body.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) body.classList.remove("dropping");
  });
  document.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    body.classList.remove("dropping");
    void openAll(store, [...(event.dataTransfer?.files ?? [])]);
  });
  document.addEventListener("paste", (event) => {
    const target = event.composedPath()[0];
    if (target instanceof HTMLElement && (target.matches("input, textarea") || target.isContentEditable)) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (files.length > 0) void openAll(store, files);
    else if (text !== "") void openText(store, text, openLink);
  });
}

async function openAll(store: Store, files: readonly File[]): Promise<void> {
  for (const file of files) await store.openFile(file);
}

async function openText(store: Store, text: string, openLink: OpenLink): Promise<void> {
  try {
    if (!(await openLink(text))) await store.open(text, { name: "pasted" });
  } catch (error) {
    store.report("This link cannot be opened", [plainErrorOf(error)]);
  }
}
