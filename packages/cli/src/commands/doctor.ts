/** `escapement doctor`: what this machine has, and what to do about what it has not. */
import type { Command } from "commander";
import { inspectPx4 } from "@escapement/px4";
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
    ...inspectPx4(env),
  ];
}

function line({ name, isThere, what }: Finding, style: Style): string {
  return `${isThere ? style.accent("found  ") : style.quiet("missing")}  ${padEnd(name, 22)}${what}`;
}
