/** Flies texts in the viewer's worker. It runs in a browser, to which a test sends it as a function. */
import type { FromWorker } from "../../packages/viewer/src/view/protocol.ts";

/** Returns the digests of the flights by name. */
export async function flyInPage(flights: readonly (readonly [name: string, text: string])[]): Promise<object> {
  const inline = document.querySelector("#engine")?.textContent;
  let worker: Worker;
  if (inline == null) worker = new Worker("engine.js", { type: "module" });
  else {
    const bytes = Uint8Array.from(atob(inline), (letter) => letter.charCodeAt(0));
    const script = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    worker = new Worker(URL.createObjectURL(await new Response(script).blob()));
  }
  const found: Record<string, unknown> = {};
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener("error", ({ message }) => reject(new Error(message)));
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => {
      if (data.is === "rejected") reject(new Error(JSON.stringify(data.errors)));
      if (data.is !== "end") return;
      found[flights[data.id]![0]] = data.end.digests;
      if (Object.keys(found).length === flights.length) resolve();
    });
    flights.forEach(([name, text], id) => worker.postMessage({ do: "open", seq: id, id, text, files: {}, name }));
  });
  worker.terminate();
  return found;
}
