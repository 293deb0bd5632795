/**
 * Links that contain what the page shows: the texts of its flights, the instant, the camera and the plots.
 *
 * The content follows `#`, so that it is never sent to a server: `e1.` and compressed JSON in base64url. Links that are
 * too long, compressed or uncompressed, are rejected; their texts are checked like any other. Fingerprints and hashes
 * show whether the page that opens the link gets the same flights.
 */
import { viewErrors } from "../errors.ts";
import type { FileMap } from "../protocol.ts";
import { readAddress } from "./address.ts";
import { decodeBase64url, encodeBase64url } from "./base64.ts";
import { CAMERA_MODES, type CameraView, type Panel, type ViewState } from "./state.ts";
import type { Store } from "./store.ts";
import type { ExpectedFlight, ViewFlight } from "./view-flight.ts";

const VERSION = "1";
/** The text after `#`: the version of the format, the content, and what the address of a page adds to it. */
const LINK = /#e(\d+)\.([^\s&]*)(&\S*)?$/;
const MAX_LINK_CHARACTERS = 65_536;
const MAX_BYTES = 1_048_576;
const MAX_FLIGHTS = 64;
/** Number of characters of a hash, enough to distinguish flights. */
const HASH_CHARACTERS = 16;

interface LinkedFlight {
  readonly name: string;
  readonly text: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Index of the parent in the list; absent if the flight is not a branch. */
  readonly parent?: number;
  readonly fingerprint?: string;
  readonly hash: string;
  readonly sections: string;
}

interface LinkContent {
  readonly version: string;
  readonly flights: readonly LinkedFlight[];
  readonly active: number;
  readonly reference?: number;
  readonly nowUs: number;
  readonly camera: CameraView;
  readonly panels: readonly Omit<Panel, "id">[];
}

/** Makes a link to what the page shows, or returns the reason why there is none. */
export async function makeLink(
  state: ViewState,
  version: string,
  page: string,
): Promise<{ readonly link: string } | { readonly whyNot: string }> {
  const flights = state.flights.peek().filter((flight) => flight.state.peek() !== "rejected");
  const without = flights.find((flight) => flight.head.peek()?.text === undefined);
  if (flights.length === 0) return { whyNot: "There is no flight to share." };
  if (without !== undefined) {
    return { whyNot: `“${without.name.peek()}” is a log without a description, so a link cannot contain it.` };
  }
  const indexOf = (id: number | undefined) => flights.findIndex((flight) => flight.id === id);
  const reference = indexOf(state.referenceId.peek());
  const content: LinkContent = {
    version,
    flights: flights.map((flight) => toLinkedFlight(flight, indexOf(flight.fork.peek()?.parent))),
    active: Math.max(0, indexOf(state.activeId.peek())),
    ...(reference < 0 ? {} : { reference }),
    nowUs: state.nowUs.peek(),
    camera: state.camera.peek(),
    panels: state.panels.peek().map(({ id: _id, ...panel }) => panel),
  };
  const packed = await pipe(new TextEncoder().encode(JSON.stringify(content)), new CompressionStream("deflate-raw"));
  return { link: `${page.split("#")[0]}#e${VERSION}.${encodeBase64url(packed)}` };
}

/**
 * Opens the flights of a link. Returns false if the text is not a link; throws a typed error if the link is invalid.
 */
export async function openLink(store: Store, text: string): Promise<boolean> {
  const found = /\s/.test(text.trim()) ? null : LINK.exec(text.trim());
  if (found === null) return false;
  const content = await readLink(found[1]!, found[2]!);
  const opened: ViewFlight[] = [];
  for (const { name, text: description, files = {}, parent, fingerprint, hash, sections } of content.flights) {
    const expected: ExpectedFlight | undefined =
      fingerprint === undefined
        ? undefined
        : { fingerprint, hash, sections: parseSections(sections), version: content.version };
    const options = { files: decodeFiles(files), name, ...(expected === undefined ? {} : { expected }) };
    const from = parent === undefined ? undefined : opened[parent];
    // Open a branch of a rejected flight as an independent flight.
    const hasParent = from !== undefined && from.state.peek() !== "rejected";
    opened.push(
      hasParent ? await store.openBranch(from, description, options) : await store.open(description, options),
    );
  }
  const { state } = store;
  store.activate(opened[content.active]!.id);
  store.setReference(content.reference === undefined ? undefined : opened[content.reference]?.id);
  state.camera.value = content.camera;
  state.panels.value = content.panels.map((panel, i) => ({ ...panel, id: i + 1 }));
  store.goWhenFlown(readAddress(found[3] ?? "").tUs ?? content.nowUs);
  return true;
}

function toLinkedFlight(flight: ViewFlight, parent: number): LinkedFlight {
  const { text, files, hash, sections } = flight.head.peek()!;
  const fingerprint = flight.end.peek()?.fingerprint;
  return {
    name: flight.name.peek(),
    text: text!,
    ...(Object.keys(files).length === 0 ? {} : { files: encodeFiles(files) }),
    ...(parent < 0 ? {} : { parent }),
    ...(fingerprint === undefined ? {} : { fingerprint }),
    hash: hash.slice(0, HASH_CHARACTERS),
    sections: Object.entries(sections)
      .map(([name, each]) => `${name}:${each}`)
      .join(" "),
  };
}

function encodeFiles(files: FileMap): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, encodeBase64url(bytes)]));
}

function decodeFiles(files: Readonly<Record<string, string>>): FileMap {
  try {
    return Object.fromEntries(Object.entries(files).map(([path, each]) => [path, decodeBase64url(each)]));
  } catch (cause) {
    throw linkDamaged(cause);
  }
}

function parseSections(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(" ").flatMap((part) => {
      const [name, hash] = part.split(":");
      return name === undefined || hash === undefined ? [] : [[name, hash]];
    }),
  );
}

async function readLink(version: string, encoded: string): Promise<LinkContent> {
  if (version !== VERSION) {
    throw viewErrors.linkVersion({
      what: `the link has format ${version}, and this page reads format ${VERSION}`,
      fix: "open it with the version of Escapement that made it, or a newer one",
    });
  }
  const content = await unpackContent(encoded);
  if (isContent(content)) return content;
  throw viewErrors.linkContent({
    what: "the link does not contain a flight of this program",
    fix: "share the flight again from the page that shows it",
  });
}

async function unpackContent(encoded: string): Promise<unknown> {
  const tooLong = (what: string) =>
    viewErrors.linkTooLong({ what, fix: "send the flight as a file, or as a page: escapement view --save page.html" });
  if (encoded.length > MAX_LINK_CHARACTERS) {
    throw tooLong(`the link has ${encoded.length} characters, more than ${MAX_LINK_CHARACTERS}`);
  }
  try {
    const bytes = await pipe(decodeBase64url(encoded), new DecompressionStream("deflate-raw"));
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    if (cause instanceof TooLarge) throw tooLong(`the content of the link is larger than ${MAX_BYTES} bytes`);
    throw linkDamaged(cause);
  }
}

function linkDamaged(cause: unknown): Error {
  return viewErrors.linkDamaged({ what: "the link is incomplete or damaged", fix: "copy the whole link again", cause });
}

/** Checks the structure of a link's content. The texts are checked when they are opened. */
function isContent(value: unknown): value is LinkContent {
  if (!isRecord(value)) return false;
  const { version, flights, active, reference, nowUs, camera, panels } = value;
  if (typeof version !== "string" || !Array.isArray(flights) || !Array.isArray(panels)) return false;
  if (flights.length === 0 || flights.length > MAX_FLIGHTS || !flights.every(isFlight)) return false;
  const isIndex = (index: unknown) => Number.isInteger(index) && flights[index as number] !== undefined;
  if (!isIndex(active) || (reference !== undefined && !isIndex(reference))) return false;
  return Number.isSafeInteger(nowUs) && isCamera(camera) && panels.every(isPanel);
}

function isFlight(value: unknown, index: number): boolean {
  if (!isRecord(value)) return false;
  const { name, text, files, parent, fingerprint, hash, sections } = value;
  const isText = (each: unknown) => each === undefined || typeof each === "string";
  const isParent = parent === undefined || (Number.isInteger(parent) && Number(parent) >= 0 && Number(parent) < index);
  const areFiles =
    files === undefined || (isRecord(files) && Object.values(files).every((each) => typeof each === "string"));
  return (
    [name, text, hash, sections].every((each) => typeof each === "string") &&
    isText(fingerprint) &&
    isParent &&
    areFiles
  );
}

function isCamera(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const numbers = [value["azimuthDeg"], value["elevationDeg"], value["distanceM"]];
  return (CAMERA_MODES as readonly unknown[]).includes(value["mode"]) && numbers.every(Number.isFinite);
}

function isPanel(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { kind, quantities } = value;
  const isKind = kind === "time" || kind === "xy" || kind === "spectrum";
  return isKind && Array.isArray(quantities) && quantities.every((name) => typeof name === "string");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Thrown if the content of a link is larger than the limit. */
class TooLarge extends Error {}

/** Sends bytes through a stream and returns the output. Throws `TooLarge` if it exceeds the limit. */
async function pipe(bytes: Uint8Array, stream: GenericTransformStream): Promise<Uint8Array> {
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const reader = (source.pipeThrough(stream) as ReadableStream<Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_BYTES) {
      await reader.cancel();
      throw new TooLarge();
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
