/**
 * Opens flights when the page starts: the flights of a link, the files that `escapement view` serves, the flights
 * embedded in the page, or the built-in flight that the address names. If there are none, the start page is shown.
 */
import { plainErrorOf } from "../errors.ts";
import type { EmbeddedData } from "../html.ts";
import { PAGE_IDS } from "../page-ids.ts";
import { readAddress } from "./address.ts";
import { decodeBase64, decodeFiles } from "./base64.ts";
import { openLink } from "./link.ts";
import type { ServerFiles } from "./server-files.ts";
import type { Store } from "./store.ts";

/** Opens the flights that the page was started with. Returns the server, if one serves the page. */
export async function boot(store: Store, hash: string): Promise<ServerFiles | undefined> {
  try {
    if (await openLink(store, hash)) return undefined;
    const { token, flight, tUs } = readAddress(hash);
    const server = token === undefined ? undefined : await serverOf(store, token);
    await (server === undefined ? openEmbedded(store) : server.open());
    if (flight !== undefined && store.state.flights.peek().length === 0) await store.openBuiltIn(flight);
    if (tUs !== undefined) store.goWhenFlown(tUs);
    return server;
  } catch (error) {
    store.report("The page could not open its flights", [plainErrorOf(error)]);
  }
  return undefined;
}

async function serverOf(store: Store, token: string): Promise<ServerFiles> {
  const { ServerFiles: Server } = await import("./server-files.ts");
  return new Server(store, token);
}

async function openEmbedded(store: Store): Promise<void> {
  const text = document.querySelector(`#${PAGE_IDS.data}`)?.textContent ?? "";
  if (text === "") return;
  const { flights, files, link = "" } = JSON.parse(text) as EmbeddedData;
  if (await openLink(store, link)) return;
  for (const { text: described, name, files: named, expected } of flights) {
    const known = expected === undefined ? {} : { expected: { ...expected, sections: {}, version: "" } };
    await store.open(described, { name, files: decodeFiles(named), ...known });
  }
  for (const { name, base64 } of files) await store.openFile(new File([decodeBase64(base64)], name));
}
