/** What `escapement` alone prints: what it is, the commands most used with an example each, and where to read on. */
import { padEnd, type Style } from "./style.ts";
import { VERSION } from "../version.ts";

const EXAMPLES: readonly (readonly [command: string, about: string])[] = [
  ["escapement fly", "flies the default mission and tells what happened"],
  ["escapement fly hover --seed 7 --log hover.csv", "another flight, with a log"],
  ["escapement init gusty.toml", "writes a commented flight file to start from"],
  ["escapement check gusty.toml", "says everything that is wrong with it, and where"],
  ["escapement list winds", "what a flight may name: flights, vehicles, winds …"],
  ["escapement report flight.mcap", "a page with plots of a recording (fly --record)"],
];

export function homeScreen(style: Style): string {
  const widest = Math.max(...EXAMPLES.map(([command]) => command.length));
  return [
    `${style.strong("Escapement")} ${VERSION}  a deterministic flight simulator for multirotors`,
    "",
    ...EXAMPLES.map(([command, about]) => `  ${style.accent(padEnd(command, widest))}  ${style.quiet(about)}`),
    "",
    `  ${style.accent(padEnd("escapement --help", widest))}  ${style.quiet("every command; escapement fly --help for one of them")}`,
    `  ${style.accent(padEnd("escapement explain FLIGHT-013", widest))}  ${style.quiet("what an error code means")}`,
    "",
    `Read on in README.md, docs/flights.md (how to describe a flight) and examples/.`,
  ].join("\n");
}
