/**
 * Flies with the script of the page's worker in a worker of Node, and reports the processor time of this process.
 *
 * The parent names the script in the first argument and sends a number of flights; the answer is the time in ms.
 */
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { FromWorker, ToWorker } from "../../packages/viewer/src/view/protocol.ts";

/** Defines the two functions of a browser's worker that the script calls, and runs the script. */
async function runScript(file: string): Promise<void> {
  Object.assign(globalThis, {
    postMessage: (message: FromWorker) => parentPort!.postMessage(message),
    addEventListener: (_type: string, listener: (event: { readonly data: ToWorker }) => void) =>
      parentPort!.on("message", (data: ToWorker) => listener({ data })),
  });
  await import(pathToFileURL(file).href);
}

/** Answers requests of the parent process. */
function serve(file: string): void {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: file });
  const fly = (id: number, text: string) =>
    new Promise<void>((resolve) => {
      const listen = (message: FromWorker) => {
        if (message.is !== "end" || message.id !== id) return;
        worker.off("message", listen);
        worker.postMessage({ do: "drop", id } satisfies ToWorker);
        resolve();
      };
      worker.on("message", listen);
      worker.postMessage({ do: "open", seq: id, id, name: "", text, files: {} } satisfies ToWorker);
    });
  let lastId = 0;
  process.on("message", ({ flights, text }: { readonly flights: number; readonly text: string }) => {
    void (async () => {
      const before = process.cpuUsage();
      for (let i = 0; i < flights; i += 1) await fly((lastId += 1), text);
      const { user, system } = process.cpuUsage(before);
      process.send!((user + system) / 1000);
    })();
  });
}

if (isMainThread) serve(process.argv[2]!);
else await runScript(workerData as string);
