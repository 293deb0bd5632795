/** Entry point of the viewer: makes the store, builds the page, and opens the flights that it was given. */
import { buildPage } from "./page.ts";
import { followAddress } from "./store/address.ts";
import { boot } from "./store/boot.ts";
import { makeLink, openLink } from "./store/link.ts";
import { keepPreferences } from "./store/preferences.ts";
import type { ServerFiles } from "./store/server-files.ts";
import { startWorker } from "./store/start-worker.ts";
import { Store } from "./store/store.ts";

const version = document.querySelector<HTMLMetaElement>('meta[name="version"]')?.content ?? "";
const store = new Store({ startWorker });
keepPreferences(store.state);
let server: ServerFiles | undefined;
buildPage(document.body, store, {
  version,
  makeLink: () => makeLink(store.state, version, location.href),
  openLink: (text) => openLink(store, text),
  server: () => server,
});
// Tests and the browser's console use the store.
Object.assign(globalThis, { escapement: store });
void boot(store, location.hash).then((found) => {
  server = found;
  followAddress(store, (hash) => void boot(store, hash));
});
