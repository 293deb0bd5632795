/** Shares the flight as a link, and saves it as files. */
import { element } from "../../shared/elements.ts";
import { download } from "../download.ts";
import { openDialog } from "../help/dialogs.ts";
import type { SaveFormat } from "../protocol.ts";
import type { Store } from "../store/store.ts";

/** Makes a link to the flights of the page, or returns the reason why there is none. */
export type MakeLink = () => Promise<{ readonly link: string } | { readonly whyNot: string }>;

/** Some programs cut off longer links. */
const MAX_SAFE_LINK = 8000;

/** What the page can save besides the files of the flight. */
export interface PageSaves {
  savePicture(): void;
  toggleFilm(): void;
  savePage(link: string): Promise<void>;
}

export async function openShare(store: Store, makeLink: MakeLink, saves: PageSaves): Promise<void> {
  const made = await makeLink();
  const flight = store.state.active.peek();
  const files = element(
    "div",
    "row",
    ...FORMATS.map(([as, label]) => saveButton(label, () => void save(store, as))),
    ...("link" in made ? [saveButton("page (.html)", () => void saves.savePage(made.link))] : []),
    saveButton("picture (.png)", () => saves.savePicture()),
    saveButton("video (.webm)", (event) => {
      (event.target as HTMLElement).closest("dialog")!.close();
      saves.toggleFilm();
    }),
  );
  if ("whyNot" in made) {
    openDialog("Share", "share", element("p", "", made.whyNot), element("h3", "", "Save"), files);
    return;
  }
  const { link } = made;
  const input = element("input", "") as HTMLInputElement;
  input.value = link;
  input.readOnly = true;
  input.setAttribute("aria-label", "Link to this flight");
  const copy = element("button", "primary", "Copy the link");
  copy.autofocus = true;
  copy.addEventListener("click", () => void copyText(link, input, copy));
  const count = store.state.shown.peek().length;
  const what = `The link has ${link.length} characters. It contains ${count === 1 ? "this flight" : `these ${count} flights`} as text, the instant, the camera and the plots. The page that opens it flies it again and gets the same fingerprint${flight?.end.peek() === undefined ? "" : `, ${flight.end.peek()!.fingerprint}`}. The part after # is never sent to a server.`;
  const long =
    link.length > MAX_SAFE_LINK
      ? [
          element(
            "p",
            "bad",
            `Some programs cut off links that are longer than ${MAX_SAFE_LINK} characters. Save the description or the page as a file, and send that.`,
          ),
        ]
      : [];
  openDialog(
    "Share",
    "share",
    element("p", "", what),
    ...long,
    element("div", "row", input, copy),
    element("h3", "", "Save"),
    files,
  );
}

function saveButton(label: string, run: (event: MouseEvent) => void): HTMLElement {
  const node = element("button", "text-button", label);
  node.addEventListener("click", run);
  return node;
}

const FORMATS: readonly (readonly [as: SaveFormat, label: string])[] = [
  ["toml", "description (.toml)"],
  ["recording", "recording (.mcap)"],
  ["csv", "table (.csv)"],
];

async function copyText(text: string, input: HTMLInputElement, node: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    node.textContent = "Copied";
  } catch {
    // Without access to the clipboard, select the text so that the reader can copy it.
    input.select();
    node.textContent = "Selected; now copy it";
  }
}

/** Saves the active flight as a file. A table contains only the span between the marks, if both are set. */
export async function save(store: Store, as: SaveFormat): Promise<void> {
  const id = store.state.activeId.peek();
  if (id === undefined) return;
  const { aUs, bUs } = store.state.marks.peek();
  const span =
    aUs === undefined || bUs === undefined ? undefined : { fromUs: Math.min(aUs, bUs), toUs: Math.max(aUs, bUs) };
  const saved = await store.save(id, as, as === "csv" ? span : undefined);
  if (saved !== undefined) download(saved.name, saved.blob);
}
