/** Files that `escapement view` serves: opened when the page starts, read again when they change, and written back. */
import { decodedFiles } from "./base64.ts";
import type { Store } from "./store.ts";
import type { ViewFlight } from "./view-flight.ts";

interface ServedFlight {
  readonly name: string;
  readonly text: string;
  readonly files: Readonly<Record<string, string>>;
  /** Of the text on the disk. */
  readonly hash: string;
}

/** The server that serves this page. */
export class ServerFiles {
  private readonly store: Store;
  private readonly token: string;
  /** The flights that belong to files, with the hash of the text on the disk. */
  private readonly opened = new Map<number, { hash: string }>();
  private isReadOnly = false;

  constructor(store: Store, token: string) {
    this.store = store;
    this.token = token;
  }

  /** Opens every file that was named on the command line. */
  async open(): Promise<void> {
    const session = (await (await this.request("session")).json()) as {
      readonly files: readonly { readonly name: string; readonly isDescription: boolean }[];
      readonly isReadOnly: boolean;
    };
    this.isReadOnly = session.isReadOnly;
    for (const [index, { name, isDescription }] of session.files.entries()) {
      if (isDescription) await this.openFlight(index);
      else await this.store.openFile(new File([await (await this.request(`files/${index}`)).blob()], name));
    }
    this.watch();
  }

  /** Writes a text to the first file that is a description. Returns false if the server does not take it. */
  async write(text: string): Promise<boolean> {
    const [entry] = this.opened;
    if (entry === undefined || this.isReadOnly) return false;
    const [index, known] = entry;
    const response = await fetch(`files/${index}`, {
      method: "PUT",
      body: text,
      headers: { "X-Escapement-Token": this.token, "If-Match": known.hash },
    });
    if (!response.ok) {
      const fix = "open the page again to see the new text, or save this one as another file";
      this.store.report("The file was not written", [{ code: "", what: await response.text(), fix, where: {} }]);
      return false;
    }
    known.hash = ((await response.json()) as { readonly hash: string }).hash;
    return true;
  }

  private async openFlight(index: number): Promise<ViewFlight> {
    const { name, text, files, hash } = (await (await this.request(`files/${index}`)).json()) as ServedFlight;
    this.opened.set(index, { hash });
    return this.store.open(text, { name, files: decodedFiles(files) });
  }

  /** Opens a description again when its file changes, unless the page wrote it. */
  private watch(): void {
    const { host } = location;
    const socket = new WebSocket(`ws://${host}/changes`, `escapement.${this.token}`);
    socket.addEventListener("message", ({ data }: MessageEvent<string>) => {
      const { changed } = JSON.parse(data) as { readonly changed: number };
      void this.reread(changed);
    });
  }

  private async reread(index: number): Promise<void> {
    const known = this.opened.get(index);
    if (known === undefined) return;
    const { hash } = (await (await this.request(`files/${index}`)).json()) as ServedFlight;
    if (hash !== known.hash) await this.openFlight(index);
  }

  private async request(path: string): Promise<Response> {
    const response = await fetch(path, { headers: { "X-Escapement-Token": this.token } });
    if (response.ok) return response;
    throw new Error(`the server answered ${response.status}: ${await response.text()}`);
  }
}
