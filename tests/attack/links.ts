/**
 * Attacks on links of the viewer: damaged characters, or strange content that is packed correctly. Each link is opened
 * as the page opens it, and its flights are flown.
 */
import { deflateRawSync } from "node:zlib";
import { type FromWorker, type ToWorker } from "../../packages/viewer/src/view/protocol.ts";
import { makeLink, openLink } from "../../packages/viewer/src/view/store/link.ts";
import { Store } from "../../packages/viewer/src/view/store/store.ts";
import { Engine } from "../../packages/viewer/src/view/worker/engine.ts";
import { type Attack, verdictOf } from "./attack.ts";
import { Chance, mutateJson, mutateText } from "./mutate.ts";

const PAGE = "http://127.0.0.1:8000/";
const MISSION = `QGC WPL 110
0 1 3 22 0 0 0 0 47.397742 8.545594 10 1
1 0 3 21 0 0 0 0 47.397742 8.545594 0 1
`;
const FLIGHT = `extends = "mission"
timeline.endS = 0.04
mission.file = "there.waypoints"
wind = { kind = "ou", meanNedMps = [3, 0, 0] }

[[scenario]]
at = "10 ms"
for = "20 ms"
gust = { velNedMps = [0, 5, 0] }
`;

/**
 * Time by which each reading advances the clock. It is so long that every slice of the engine ends at its first check.
 */
const READING_MS = 12;
/** Slices that are flown after a link was opened; each is 500 boundaries of a flight. */
const FLOWN_SLICES = 3;

const nextImmediate = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Opens a page without a browser; `close` stops its engine. The clock of the engine advances only when it is read, so
 * the result does not depend on the machine's speed.
 */
function openPage(): { readonly store: Store; readonly close: () => void } {
  let isOpen = true;
  let nowMs = 0;
  const store = new Store({
    startWorker: () => {
      let say: (message: FromWorker) => void = () => {};
      const engine = new Engine({
        post: (message) => say(structuredClone(message)),
        clockMs: () => (nowMs += READING_MS),
        defer: (callback) => void setImmediate(() => (isOpen ? callback() : undefined)),
      });
      return {
        post: (message: ToWorker) => engine.receive(structuredClone(message)),
        listen: (onMessage) => void (say = onMessage),
        terminate: () => {},
      };
    },
  });
  return { store, close: () => (isOpen = false) };
}

/** Returns the content of a valid link before it is packed. */
async function contentOfLink(hasBranch: boolean): Promise<unknown> {
  const { store, close } = openPage();
  const files = { "there.waypoints": new TextEncoder().encode(MISSION) };
  const flight = await store.open(FLIGHT, { name: "attack", files });
  if (hasBranch) await store.openBranch(flight, FLIGHT.replace("0.04", "0.03"), { name: "branch", files });
  const made = await makeLink(store.state, "0.0.0", PAGE);
  close();
  if ("whyNot" in made) throw new Error(made.whyNot);
  const packed = Buffer.from(made.link.split("#e1.")[1]!, "base64url");
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(bytes).text()) as unknown;
}

const packedLink = (text: string) => `${PAGE}#e1.${deflateRawSync(text).toString("base64url")}`;

/** Returns a value as text; empty if it is undefined, or longer than a string can be, so that no link can hold it. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch (error) {
    if (error instanceof RangeError) return "";
    throw error;
  }
}

/** Opens a link. Throws if the engine rejects a flight without an error code, which is a defect. */
async function open(link: string): Promise<void> {
  const { store, close } = openPage();
  try {
    await openLink(store, link);
    for (let slice = 0; slice < FLOWN_SLICES; slice += 1) await nextImmediate();
    for (const flight of store.state.flights.peek()) {
      const untyped = flight.errors.peek().find(({ code }) => code === "");
      if (untyped !== undefined) throw new Error(untyped.what);
    }
  } finally {
    close();
  }
}

export const links: Attack = {
  name: "links",
  cases: 1e5,
  prepare: async (seed) => {
    const contents = [await contentOfLink(false), await contentOfLink(true)];
    return async (i) => {
      const chance = new Chance(seed, `link/${i}`);
      const content = chance.of(contents);
      const text = JSON.stringify(content);
      const link = [
        () => mutateText(packedLink(text), chance),
        () => packedLink(mutateText(text, chance)),
        () => packedLink(textOf(mutateJson(content, chance))),
        () => {
          const strange = structuredClone(content) as { flights: { text: string }[] };
          for (const flight of strange.flights) flight.text = mutateText(flight.text, chance);
          return packedLink(JSON.stringify(strange));
        },
      ][i % 4]!();
      return verdictOf(() => open(link));
    };
  },
};
