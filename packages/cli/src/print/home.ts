/**
 * The text that `escapement` prints without arguments: what it is, common commands with examples, and further reading.
 */
import { padEnd, type Style } from "./style.ts";
import { VERSION } from "../version.ts";

const EXAMPLES: readonly (readonly [command: string, about: string])[] = [
  ["escapement fly", "flies the default mission, tells what happened"],
  ["escapement fly hover --seed 7", "another flight, with another seed for every random stream"],
  ["escapement init gusty.toml", "writes a commented flight file to start from"],
  ["escapement check gusty.toml", "says everything that is wrong with it"],
  ["escapement list winds", "what a flight may name: vehicles, winds …"],
  ["escapement report flight.mcap", "a page with plots of a recording"],
];
const MORE: readonly (readonly [command: string, about: string])[] = [
  ["escapement --help", "every command; fly --help for one of them"],
  ["escapement explain FLIGHT-013", "what an error code means"],
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
    "Read on in README.md, docs/flights.md (how to describe a flight), examples/.",
  ].join("\n");
}
