/** Saves the description to its own file if the server allows it, or else as a download. */
import { element } from "../../shared/elements.ts";
import { download } from "../download.ts";
import { plainErrorOf } from "../errors.ts";
import { openDialog } from "../help/dialogs.ts";
import type { Store } from "../store/store.ts";
import type { ViewFlight } from "../store/view-flight.ts";
import { save } from "./share.ts";

/** The files that the page may write. */
export interface TextFiles {
  /** Returns the name of a flight's file; undefined if the flight has no file that can be written. */
  fileOf(flight: ViewFlight): string | undefined;
  write(flight: ViewFlight, text: string): Promise<boolean>;
}

/** How long the page shows that a file was saved. */
const SHOWN_MS = 3000;
/** Files that the reader has allowed the page to write. */
const writableFiles = new Set<string>();

export async function saveText(store: Store, files: TextFiles | undefined): Promise<void> {
  const { active, draft } = store.state;
  const flight = active.peek();
  if (flight === undefined) return;
  const file = files?.fileOf(flight);
  const text = draft.peek() ?? flight.head.peek()?.text;
  if (file === undefined || text === undefined) {
    const written = draft.peek();
    if (written === undefined) await save(store, "toml");
    else download("flight.toml", new Blob([written]));
    return;
  }
  if (!writableFiles.has(file) && !(await agrees(file))) return;
  writableFiles.add(file);
  try {
    if (!(await files!.write(flight, text))) return;
    const note = store.report(`${file} is saved`, []);
    setTimeout(() => store.dismiss(note), SHOWN_MS);
  } catch (error) {
    store.report(`${file} was not written`, [plainErrorOf(error)]);
  }
}

/** Asks the reader before a file is written for the first time. Returns whether the reader agrees. */
function agrees(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const write = element("button", "primary", `Write ${file}`);
    const question = `This replaces ${file} on disk with the description that the page shows. The page asks only once per file.`;
    const dialog = openDialog("Save the description", "ask", element("p", "", question), write);
    write.addEventListener("click", () => {
      resolve(true);
      dialog.close();
    });
    dialog.addEventListener("close", () => resolve(false));
    write.focus();
  });
}
