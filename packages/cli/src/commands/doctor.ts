/** `escapement doctor`: what this machine has, and what to do about what it has not. */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { padEnd, type Style, styleFor } from "../print/style.ts";

interface Finding {
  readonly name: string;
  readonly isThere: boolean;
  readonly what: string;
}

const LEAST_NODE = [20, 19] as const;

export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description("say what this machine has for flying, and what is missing")
    .option("--json", "print as JSON")
    .addHelpText("after", "\nExamples:\n  escapement doctor\n  PX4_LOCKSTEP_LIB=libpx4_lockstep.so escapement doctor")
    .action((flags: { json?: true }) => {
      const findings = examine(process.env);
      const style = styleFor(process.stdout, process.env);
      process.stdout.write(flags.json === true ? `${JSON.stringify(findings, null, 2)}\n` : `${findings.map((finding) => line(finding, style)).join("\n")}\n`);
    });
}

export function examine(env: NodeJS.ProcessEnv): Finding[] {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isNew = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  return [
    { name: "Node", isThere: isNew, what: isNew ? process.versions.node : `${process.versions.node}; install ${LEAST_NODE.join(".")} or newer` },
    named("PX4 lockstep library", env["PX4_LOCKSTEP_LIB"], "set PX4_LOCKSTEP_LIB to libpx4_lockstep.so to fly PX4 in-process"),
    named("PX4 SITL binary", env["PX4_SITL_BIN"], "set PX4_SITL_BIN to the px4 binary of a SITL build to fly stock PX4"),
  ];
}

function named(name: string, path: string | undefined, remedy: string): Finding {
  if (path === undefined || path === "") return { name, isThere: false, what: remedy };
  return existsSync(path) ? { name, isThere: true, what: path } : { name, isThere: false, what: `${path} does not exist; ${remedy}` };
}

function line({ name, isThere, what }: Finding, style: Style): string {
  return `${isThere ? style.accent("found  ") : style.quiet("missing")}  ${padEnd(name, 22)}${what}`;
}
