/**
 * Reads and writes the address of the page: what the page opened, and the instant that it shows.
 *
 * Everything follows `#` and is separated by `&`: the content of a link or the token of the server first, then
 * `flight=` with the name of a built-in flight and `t=` with a time in seconds. The time follows the playhead, so a
 * copied address or a reload shows the same instant.
 */
import { effect } from "@preact/signals-core";
import type { Store } from "./store.ts";

/** Browsers limit how often an address may change, so it changes when the playhead has not moved for this long. */
const DEBOUNCE_MS = 300;
/** A description that only extends a built-in flight. */
const BUILT_IN = /^extends = "([\w-]+)"\n$/;

interface Address {
  /** Token of the server that serves the page. */
  readonly token?: string;
  /** Name of a built-in flight. */
  readonly flight?: string;
  readonly tUs?: number;
}

export function readAddress(hash: string): Address {
  const parts = partsOf(hash);
  const valueOf = (key: string, value: RegExp) => {
    const found = parts.find((part) => part.startsWith(`${key}=`))?.slice(key.length + 1) ?? "";
    return value.test(found) ? found : undefined;
  };
  const [token, flight] = [valueOf("k", /^[\w-]+$/), valueOf("flight", /^[\w-]+$/)];
  const seconds = valueOf("t", /^\d{1,9}(?:\.\d{1,6})?$/);
  return {
    ...(token === undefined ? {} : { token }),
    ...(flight === undefined ? {} : { flight }),
    ...(seconds === undefined ? {} : { tUs: Math.round(Number(seconds) * 1e6) }),
  };
}

/** Returns the address with a different instant and flight. */
export function withInstant(hash: string, tUs: number, flight: string | undefined): string {
  const kept = partsOf(hash).filter((part) => !/^(?:flight|t)=/.test(part));
  const named = flight === undefined ? [] : [`flight=${flight}`];
  return `#${[...kept, ...named, `t=${tUs / 1e6}`].join("&")}`;
}

function partsOf(hash: string): string[] {
  return hash
    .replace(/^#/, "")
    .split("&")
    .filter((part) => part !== "");
}

/**
 * Keeps the time in the address equal to the playhead. If the reader changes the time in the address, moves the
 * playhead there; if the reader changes the link, calls `openLink`.
 */
export function followAddress(store: Store, openLink: (hash: string) => void): void {
  const { state } = store;
  let [opened] = partsOf(location.hash);
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const tUs = state.nowUs.value;
    const flight = BUILT_IN.exec(state.flights.value[0]?.head.value?.text ?? "")?.[1];
    clearTimeout(timer);
    if (state.active.value === undefined || state.isPlaying.value) return;
    timer = setTimeout(() => replaceHash(withInstant(location.hash, tUs, flight)), DEBOUNCE_MS);
  });
  addEventListener("hashchange", () => {
    const [first] = partsOf(location.hash);
    const { tUs } = readAddress(location.hash);
    if (first !== opened && /^e\d+\./.test(first ?? "")) openLink(location.hash);
    else if (tUs !== undefined) store.goWhenFlown(tUs);
    opened = first;
  });
}

function replaceHash(hash: string): void {
  if (hash === location.hash) return;
  try {
    history.replaceState(history.state, "", hash);
  } catch {
    // Some browsers forbid this for pages opened from disk. The page then works without the time in its address.
  }
}
