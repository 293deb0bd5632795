/**
 * The mock as a program that is started like PX4: `-d -i <instance> -w <folder> <etc>`, parameters in its environment.
 *
 * It writes its process id to the file that MOCK_PX4_MARK names. With MOCK_PX4=dies it prints a last line in flight and
 * exits. The script that starts it implements the failures before the flight.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { MESSAGES } from "../mavlink/dialect.ts";
import { valuesOf } from "../mavlink/parser.ts";
import { MockPx4 } from "./mock-px4.ts";
import { FIRST_PORT } from "../sitl/simulator-port.ts";

const [, , , , instanceText] = process.argv;
const instance = Number(instanceText);
const { MOCK_PX4: behaviour = "", MOCK_PX4_MARK: mark = "" } = process.env;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

if (mark !== "") writeFileSync(mark, `${process.pid}`);
const given = Object.entries(process.env).filter(([name]) => name.startsWith("PX4_PARAM_"));
const parameters = given.map(([name, text]) => {
  const value = Number(text);
  return [name.slice("PX4_PARAM_".length), { value, whole: Number.isInteger(value) }] as const;
});
let hasReportedRange = false;

/** Returns our port from the first link script in PATH, as PX4 uses it. */
function linkPort(): number {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const script = folders.map((folder) => join(folder, "px4-rc.mavlink")).find((path) => existsSync(path))!;
  return Number(/ -o (\d+)/.exec(readFileSync(script, "utf8"))![1]);
}

const px4 = new MockPx4({
  port: FIRST_PORT + instance,
  linkPort: linkPort(),
  instance,
  bootFrames: 5,
  readyAfterUs: 300_000,
  parameters: Object.fromEntries(parameters),
  onFrame: (frame) => {
    const range = valuesOf(frame, MESSAGES.DISTANCE_SENSOR);
    if (range !== undefined && !hasReportedRange) print(`range ${range.min_distance} to ${range.max_distance} cm`);
    hasReportedRange ||= range !== undefined;
    if (behaviour !== "dies" || px4.frames < 300) return;
    print("ERROR [mock] a last word");
    process.exit(3);
  },
});
print("INFO  [mock] started");
px4.start();
