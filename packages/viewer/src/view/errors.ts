/** Errors of the viewer: links, files that the server holds, and live flights. */
import { defineErrors, SimError } from "@escapement/core";
import type { PlainError } from "./protocol.ts";

export const viewErrors = defineErrors("VIEW", {
  linkDamaged: {
    number: 1,
    title: "a link is incomplete or damaged",
    explain:
      "A link carries flights as compressed text after #. Programs that shorten or rewrite links damage it. Copy it again, whole.",
  },
  linkTooLong: {
    number: 2,
    title: "a link is too long",
    explain:
      "A link has at most 65 536 characters, and its content unpacks to at most 1 MB. Send a larger flight as a file, or as a page of its own: escapement view --save page.html flight.toml.",
  },
  linkVersion: {
    number: 3,
    title: "a link was made by another version",
    explain: "The first characters after # give the version of the link's format. This page reads version 1.",
  },
  linkContent: {
    number: 4,
    title: "a link does not carry a flight of this program",
    explain: "The link can be unpacked, but its content does not have the shape of a link of this program.",
  },
  fileChanged: {
    number: 5,
    title: "a flight file changed on the disk",
    explain:
      "The page writes a flight file only if it still has the text that the page read. Another program has changed it since then. Nothing was written.",
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
    title: "the server of the page did not answer as expected",
    explain: "The command that serves the page has ended, or the page was opened with an address of an earlier run.",
  },
  liveCommand: {
    number: 9,
    title: "a live flight cannot take this command",
    explain:
      "Commands to a live flight are events of its scenario. They act at the next tick of the autopilot. Events that change parameters or settings of a flight with PX4, and every event after its end, are refused.",
  },
});

/** An error as plain data for a card. Errors without a code are defects. */
export function plainErrorOf(error: unknown): PlainError {
  if (!(error instanceof SimError)) {
    return { code: "", what: String(error), fix: "this is a defect of Escapement; please report it", where: {} };
  }
  const { code, what, fix, where } = error;
  return { code, what, fix, where };
}
