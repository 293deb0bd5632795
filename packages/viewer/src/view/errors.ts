/** Errors of the viewer: links, files on the server, and live flights. */
import { defineErrors, SimError } from "@escapement/core";
import type { PlainError } from "./protocol.ts";

export const viewErrors = defineErrors("VIEW", {
  linkDamaged: {
    number: 1,
    title: "a link is incomplete or damaged",
    explain:
      "A link contains flights as compressed text after #. Programs that shorten or rewrite links damage it. Copy the whole link again.",
  },
  linkTooLong: {
    number: 2,
    title: "a link is too long",
    explain:
      "A link has at most 65 536 characters, and its content unpacks to at most 1 MB. Send a larger flight as a file, or save it as a page: escapement view --save page.html flight.toml.",
  },
  linkVersion: {
    number: 3,
    title: "a link was made by a different version",
    explain: "The first characters after # give the version of the link's format. This page reads version 1.",
  },
  linkContent: {
    number: 4,
    title: "a link does not contain a flight of this program",
    explain: "The link can be decompressed, but its content does not have the structure of a shared flight.",
  },
  fileChanged: {
    number: 5,
    title: "a flight file changed on disk",
    explain:
      "The page writes a flight file only if the file still has the text that the page has read. A different program has changed it since then. Nothing was written.",
  },
  readOnly: {
    number: 6,
    title: "a file cannot be written from the page",
    explain:
      "The server was started with --read-only, or the file is not a flight file. The page offers the text for download instead.",
  },
  textTooLong: {
    number: 7,
    title: "a text is too long for the server",
    explain: "The server accepts texts of up to 1 MB from the page.",
  },
  server: {
    number: 8,
    title: "the page's server did not answer as expected",
    explain: "The command that serves the page has ended, or the page was opened with the address of an earlier run.",
  },
  liveCommand: {
    number: 9,
    title: "a live flight cannot accept this command",
    explain:
      "Commands to a live flight are scenario events that happen at the next tick of the autopilot. A flight with PX4 rejects events that change parameters or settings. Every flight rejects events after its end.",
  },
});

/** Converts an error to plain data for a card. Errors of other types are defects. */
export function plainErrorOf(error: unknown): PlainError {
  if (!(error instanceof SimError)) {
    return { code: "", what: String(error), fix: "this is a defect of Escapement; please report it", where: {} };
  }
  const { code, what, fix, where } = error;
  return { code, what, fix, where };
}
