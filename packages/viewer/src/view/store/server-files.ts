/** Opens the files that `escapement view` serves, reads them again when they change, and writes them. */
import { viewErrors } from "../errors.ts";
import type { PlainError } from "../protocol.ts";
import { decodeFiles } from "./base64.ts";
import { LiveConnection } from "./live.ts";
import type { Store } from "./store.ts";
import type { ViewFlight } from "./view-flight.ts";

interface ServedFlight {
  readonly name: string;
  readonly text: string;
  readonly files: Readonly<Record<string, string>>;
  /** Hash of the text on disk. */
  readonly hash: string;
}

interface ServedSession {
  readonly files: readonly { readonly name: string; readonly isDescription: boolean; readonly isWritable: boolean }[];
  /** Name of the flight that the command flies live; absent if there is none. */
  readonly live?: string;
}

/** A file that holds a description. */
interface OpenedFile {
  readonly index: number;
  readonly name: string;
  readonly isWritable: boolean;
  hash: string;
}

/** Client for the files of the server that serves this page. */
export class ServerFiles {
  private readonly store: Store;
  private readonly token: string;
  /** Files by the ids of the flights that were opened from them. */
  private readonly opened = new Map<number, OpenedFile>();

  constructor(store: Store, token: string) {
    this.store = store;
    this.token = token;
  }

  /** Opens every file that was named on the command line. */
  async open(): Promise<void> {
    const session = (await (await this.request("session")).json()) as ServedSession;
    for (const [index, { name, isDescription, isWritable }] of session.files.entries()) {
      if (isDescription) await this.openFlight({ index, name, isWritable, hash: "" });
      else await this.store.openFile(new File([await (await this.request(`files/${index}`)).blob()], name));
    }
    if (session.live !== undefined) this.openLive(session.live);
    this.watch();
  }

  /** Returns the name of the file of a flight or of its nearest ancestor that has one, if the page may write it. */
  fileOf(flight: ViewFlight): string | undefined {
    const file = this.openedFor(flight);
    return file?.isWritable === true ? file.name : undefined;
  }

  /** Writes the text of a flight to its file. Returns whether it was written; if not, the page shows the reason. */
  async write(flight: ViewFlight, text: string): Promise<boolean> {
    const file = this.openedFor(flight);
    if (file === undefined) return false;
    const response = await this.send(`files/${file.index}`, {
      method: "PUT",
      body: text,
      headers: { "X-Escapement-Token": this.token, "If-Match": file.hash },
    });
    if (!response.ok) {
      this.store.report(`${file.name} was not written`, [(await response.json()) as PlainError]);
      return false;
    }
    file.hash = ((await response.json()) as { readonly hash: string }).hash;
    return true;
  }

  private openedFor(flight: ViewFlight): OpenedFile | undefined {
    for (let each: ViewFlight | undefined = flight; each !== undefined;) {
      const file = this.opened.get(each.id);
      if (file !== undefined) return file;
      each = this.store.state.flight(each.fork.peek()?.parent);
    }
    return undefined;
  }

  private async openFlight(file: OpenedFile): Promise<void> {
    const { name, text, files, hash } = await this.read(file.index);
    file.hash = hash;
    const flight = await this.store.open(text, { name, files: decodeFiles(files) });
    this.opened.set(flight.id, file);
  }

  /** Shows the flight that the command flies live. */
  private openLive(name: string): void {
    const socket = this.socket("live");
    socket.binaryType = "arraybuffer";
    const receive = this.store.openLive(name, (events) => connection.command(events));
    const connection = new LiveConnection(socket, receive, () => (this.store.state.isLive.value = false));
  }

  private socket(path: string): WebSocket {
    return new WebSocket(`ws://${location.host}/${path}`, `escapement.${this.token}`);
  }

  /** Opens a description again when its file changes, unless the page itself wrote it. */
  private watch(): void {
    const socket = this.socket("changes");
    socket.addEventListener("message", ({ data }: MessageEvent<string>) => {
      const { changed } = JSON.parse(data) as { readonly changed: number };
      void this.reread(changed);
    });
  }

  private async reread(index: number): Promise<void> {
    const file = [...this.opened.values()].find((each) => each.index === index);
    if (file === undefined) return;
    const { hash } = await this.read(index);
    if (hash !== file.hash) await this.openFlight(file);
  }

  private async read(index: number): Promise<ServedFlight> {
    return (await (await this.request(`files/${index}`)).json()) as ServedFlight;
  }

  private async request(path: string): Promise<Response> {
    const response = await this.send(path, { headers: { "X-Escapement-Token": this.token } });
    if (response.ok) return response;
    throw noAnswer(`the server answered ${response.status}: ${await response.text()}`);
  }

  private async send(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(path, init);
    } catch (cause) {
      throw noAnswer(`the server does not answer: ${String(cause)}`);
    }
  }
}

function noAnswer(what: string) {
  return viewErrors.server({ what, fix: "start escapement view again, and open the address that it prints" });
}
