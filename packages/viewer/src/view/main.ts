/** Entry of the page that flies: connects the page to its worker. */
import { buildPage } from "./page.ts";
import type { FromWorker } from "./protocol.ts";
import type { WorkerPort } from "./store/connection.ts";
import { Store } from "./store/store.ts";

function startWorker(): WorkerPort {
  const worker = new Worker(new URL("engine.js", document.baseURI).href);
  return {
    post: (message) => worker.postMessage(message),
    listen(onMessage, onCrash) {
      worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => onMessage(data));
      worker.addEventListener("error", ({ message }) => onCrash(message));
    },
    terminate: () => worker.terminate(),
  };
}

buildPage(document.body, new Store({ startWorker }), {
  makeLink: () => Promise.resolve({ whyNot: "This page cannot make links yet: save the description instead." }),
  openLink: () => Promise.resolve(false),
});
