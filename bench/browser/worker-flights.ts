/** Measures flights in the page's worker and with the same script in Node, by processor time. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { CDPSession, Page } from "playwright-core";
import type { FromWorker, ToWorker } from "../../packages/viewer/src/view/protocol.ts";
import type { Store } from "../../packages/viewer/src/view/store/store.ts";
import type { ViewBench } from "../../tests/support/view-page.ts";
import type { PageEffort, Pair } from "./pair.ts";

declare const escapement: Store;

const TEXT = 'extends = "mission"\n';
const WARM_UPS = 3;

/** Returns the processor time per flight in ms: in the page's worker, and in Node. One pair per round. */
export async function measureWorker(bench: ViewBench, nodeFile: string, effort: PageEffort): Promise<Pair[]> {
  const { page } = await bench.open({ hasWebGl: false });
  const session = await page.context().browser()!.newBrowserCDPSession();
  const node = fork(nodeFile, [join(bench.command.folder, "view/engine.js")], { execArgv: [] });
  try {
    await startWorker(page);
    const inPage = (flights: number) => timeInPage(page, session, flights);
    const inNode = (flights: number) => timeInNode(node, flights);
    for (const measure of [inPage, inNode]) await measure(WARM_UPS);
    const found: Pair[] = [];
    for (let i = 0; i < effort.rounds; i += 1) {
      const pageMs = await inPage(effort.flights);
      found.push({ measured: pageMs / effort.flights, base: (await inNode(effort.flights)) / effort.flights });
    }
    return found;
  } finally {
    node.kill();
    await page.close();
  }
}

/** Ends the page's own workers, and starts a worker whose rows the page does not draw. */
async function startWorker(page: Page): Promise<void> {
  await page.evaluate(() => {
    escapement.close();
    Object.assign(globalThis, { flying: new Worker(new URL("engine.js", document.baseURI), { type: "module" }) });
  });
}

async function timeInPage(page: Page, session: CDPSession, flights: number): Promise<number> {
  const beforeMs = await rendererMs(session);
  await page.evaluate(
    async ([count, text]) => {
      const worker = (globalThis as unknown as { flying: Worker }).flying;
      for (let id = 1; id <= count; id += 1) {
        await new Promise<void>((resolve) => {
          worker.addEventListener("message", function listen({ data }: MessageEvent<FromWorker>) {
            if (data.is !== "end" || data.id !== id) return;
            worker.removeEventListener("message", listen);
            worker.postMessage({ do: "drop", id } satisfies ToWorker);
            resolve();
          });
          worker.postMessage({ do: "open", seq: id, id, name: "", text, files: {} } satisfies ToWorker);
        });
      }
    },
    [flights, TEXT] as const,
  );
  return (await rendererMs(session)) - beforeMs;
}

/** Returns the processor time of the processes that run pages and their workers. */
async function rendererMs(session: CDPSession): Promise<number> {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const renderers = processInfo.filter(({ type }) => type === "renderer");
  return renderers.reduce((sum, { cpuTime }) => sum + 1000 * cpuTime, 0);
}

async function timeInNode(node: ChildProcess, flights: number): Promise<number> {
  node.send({ flights, text: TEXT });
  const [cpuMs] = (await once(node, "message")) as [number];
  return cpuMs;
}
