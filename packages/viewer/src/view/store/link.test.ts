/** A link opens the same flights on a different page and verifies them; an invalid link gives a typed error. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { storeInNode, untilFlown } from "../testing/store-in-node.ts";
import { makeLink, openLink } from "./link.ts";
import type { Store } from "./store.ts";

const PAGE = "http://127.0.0.1:8000/#k=token";
const SHORT = 'extends = "hover"\ntimeline.endS = 1\n';
const GUST = { at: "0.4 s", for: "0.2 s", gust: { velNedMps: [0, 5, 0] } };

async function linkOf(store: Store): Promise<string> {
  const made = await makeLink(store.state, "0.0.0", PAGE);
  if ("whyNot" in made) throw new Error(made.whyNot);
  return made.link;
}

async function storeWithFlights(): Promise<Store> {
  const store = storeInNode();
  const root = await store.open(SHORT, { name: "short" });
  await untilFlown(root);
  await untilFlown((await store.inject([GUST], "gust"))!);
  store.playhead.goTo(500_000);
  return store;
}

/** Returns a link with changed content. */
function changeLink(link: string, change: (content: Record<string, unknown>) => void): string {
  const [head, packed] = link.split("#e1.");
  const content = JSON.parse(inflateRawSync(Buffer.from(packed!, "base64url")).toString());
  change(content);
  return `${head}#e1.${deflateRawSync(JSON.stringify(content)).toString("base64url")}`;
}

const codeOf = (error: unknown) => (error as { code?: string }).code;
const openingCode = (link: string) => openLink(storeInNode(), link).catch(codeOf);

describe("links", () => {
  it("contain flights, their branches and the instant, and verify the fingerprints", async () => {
    const link = await linkOf(await storeWithFlights());
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:8000\/#e1\.[\w-]+$/);
    const other = storeInNode();
    expect(await openLink(other, link)).toBe(true);
    const flights = other.state.flights.peek();
    for (const flight of flights) await untilFlown(flight);
    expect(flights.map(({ name }) => name.peek())).toEqual(["short", "gust"]);
    expect(flights[1]!.fork.peek()?.parent).toBe(flights[0]!.id);
    expect(flights.map(({ verification }) => verification.peek()?.is)).toEqual(["same", "same"]);
    expect(other.state.nowUs.peek()).toBe(500_000);
  });

  it("report whether a flight has a different description or different bits", async () => {
    const link = await linkOf(await storeWithFlights());
    const verificationOf = async (change: (flight: Record<string, unknown>) => void) => {
      const store = storeInNode();
      await openLink(
        store,
        changeLink(link, ({ flights }) => change((flights as Record<string, unknown>[])[0]!)),
      );
      const [flight] = store.state.flights.peek();
      await untilFlown(flight!);
      return flight!.verification.peek();
    };
    expect(await verificationOf((flight) => (flight["text"] = `${SHORT}seed = 5\n`))).toMatchObject({
      is: "other flight",
      sections: ["seed"],
    });
    expect(await verificationOf((flight) => (flight["fingerprint"] = "fp1:0000-0000-0000-0000"))).toMatchObject({
      is: "different bits",
    });
  });

  it("ignore a text that is not a link", async () => {
    const store = storeInNode();
    expect(await openLink(store, 'extends = "mission"\n')).toBe(false);
    expect(await openLink(store, "#k=abc")).toBe(false);
    expect(store.state.flights.peek()).toEqual([]);
  });

  it("are rejected as damaged if they are cut off or changed", async () => {
    const link = await linkOf(await storeWithFlights());
    expect(await openingCode(link.slice(0, -20))).toBe("VIEW-001");
    expect(await openingCode(link.slice(0, 90))).toBe("VIEW-001");
    expect(await openingCode(`${link.slice(0, 80)}!${link.slice(81)}`)).toBe("VIEW-001");
    expect(await openingCode(`${PAGE.split("#")[0]}#e1.`)).toBe("VIEW-001");
  });

  it("are rejected as damaged if a file in them is not base64", async () => {
    const link = await linkOf(await storeWithFlights());
    const withFile = changeLink(link, ({ flights }) => {
      (flights as Record<string, unknown>[])[0]!["files"] = { "a.waypoints": "?!" };
    });
    expect(await openingCode(withFile)).toBe("VIEW-001");
  });

  it("open a branch of a rejected flight as an independent flight", async () => {
    const link = await linkOf(await storeWithFlights());
    const store = storeInNode();
    await openLink(
      store,
      changeLink(link, ({ flights }) => ((flights as Record<string, unknown>[])[0]!["text"] = "extends = 1\n")),
    );
    const [parent, branch] = store.state.flights.peek();
    expect(parent!.errors.peek()[0]?.code).toMatch(/^FLIGHT-/);
    await untilFlown(branch!);
    expect(branch!.verification.peek()?.is).toBe("same");
  });

  it("are rejected if they are too long, compressed or uncompressed", async () => {
    expect(await openingCode(`#e1.${"A".repeat(70_000)}`)).toBe("VIEW-002");
    const bomb = deflateRawSync(Buffer.alloc(30_000_000)).toString("base64url");
    expect(bomb.length).toBeLessThan(65_536);
    expect(await openingCode(`#e1.${bomb}`)).toBe("VIEW-002");
  });

  it("of a future version are rejected", async () => {
    expect(await openingCode("#e2.AAAA")).toBe("VIEW-003");
  });

  it("with invalid content are rejected", async () => {
    const link = await linkOf(await storeWithFlights());
    for (const change of [
      (content: Record<string, unknown>) => (content["flights"] = []),
      (content: Record<string, unknown>) => (content["active"] = 7),
      (content: Record<string, unknown>) => (content["nowUs"] = 1.5),
      (content: Record<string, unknown>) => (content["camera"] = { mode: "upside-down" }),
      (content: Record<string, unknown>) => (content["panels"] = [{ kind: "time", quantities: [1] }]),
    ]) {
      expect(await openingCode(changeLink(link, change))).toBe("VIEW-004");
    }
  });
});
