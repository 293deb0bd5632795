/**
 * Opens flights when the page starts: those of a link, the files that `escapement view` serves, or those embedded in
 * the page. If there are none, the start page is shown.
 */
import { plainErrorOf } from "../errors.ts";
import type { EmbeddedData } from "../html.ts";
import { PAGE_IDS } from "../page-ids.ts";
import { decodeBase64, decodeFiles } from "./base64.ts";
import { openLink } from "./link.ts";
import { ServerFiles } from "./server-files.ts";
import type { Store } from "./store.ts";

/** Opens the flights that the page was started with. Returns the server, if one serves the page. */
export async function boot(store: Store, hash: string): Promise<ServerFiles | undefined> {
  try {
    if (await openLink(store, hash)) return undefined;
    const token = /^#k=([\w-]+)$/.exec(hash)?.[1];
    if (token !== undefined) {
      const server = new ServerFiles(store, token);
      await server.open();
      return server;
    }
    await openEmbedded(store);
  } catch (error) {
    store.report("The page could not open its flights", [plainErrorOf(error)]);
  }
  return undefined;
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
