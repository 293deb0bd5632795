/**
 * The text that `escapement` prints without arguments: what it is, common commands with examples, and further reading.
 */
import { padEnd, type Style } from "./style.ts";
import { VERSION } from "../version.ts";

const EXAMPLES: readonly (readonly [command: string, about: string])[] = [
  ["escapement fly", "flies the default mission and prints a summary"],
  ["escapement fly hover --seed 7", "flies a built-in flight with another seed"],
  ["escapement init gusty.toml", "writes a commented flight file to start from"],
  ["escapement check gusty.toml", "reports every error in it"],
  ["escapement list winds", "lists the wind models that a flight can use"],
  ["escapement report flight.mcap", "makes a page with plots of a recording"],
];
const MORE: readonly (readonly [command: string, about: string])[] = [
  ["escapement --help", "lists every command"],
  ["escapement explain FLIGHT-013", "explains an error code"],
];

export function homeScreen(style: Style): string {
  const widest = Math.max(...[...EXAMPLES, ...MORE].map(([command]) => command.length));
  const line = ([command, about]: readonly [string, string]) =>
    `  ${style.accent(padEnd(command, widest))}  ${style.quiet(about)}`;
  return [
    `${style.strong("Escapement")} ${VERSION}  a deterministic flight simulator for multirotors`,
    "",
    ...EXAMPLES.map(line),
    "",
    ...MORE.map(line),
    "",
    "Read more: docs/tutorial.md, docs/flights.md (flight descriptions), examples/.",
  ].join("\n");
}
