/**
 * Every command by name: a line for the overview, and a file that is loaded when the command is used.
 *
 * The overview prints these lines without loading any command. A test checks them against the commands' descriptions.
 */
import type { Command } from "commander";
import { layOutHelp } from "./options.ts";

interface CommandEntry {
  readonly about: string;
  /** Heading in the overview; commands without one belong to the group of the command above them. */
  readonly group?: string;
  readonly load: () => Promise<(program: Command) => void>;
}

/** In the order in which help lists them. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  fly: {
    group: "Fly:",
    about: "fly a flight and print what happened",
    load: async () => (await import("./fly.ts")).addFly,
  },
  replay: {
    about: "fly a recording again and check that the result is identical, bit for bit",
    load: async () => (await import("./replay.ts")).addReplay,
  },
  branch: {
    about: "go to an instant of a flight and continue it differently",
    load: async () => (await import("./branch.ts")).addBranch,
  },
  view: {
    about: "open flights, recordings and logs in the browser, and simulate them there",
    load: async () => (await import("./view.ts")).addView,
  },
  init: {
    group: "Describe a flight:",
    about: "write a commented flight file to start from",
    load: async () => (await import("./init.ts")).addInit,
  },
  check: {
    about: "check a flight or a campaign, and show what it changes",
    load: async () => (await import("./check.ts")).addCheck,
  },
  list: { about: "list the names that a flight can use", load: async () => (await import("./list.ts")).addList },
  trim: {
    about: "show hover and steady flight of a vehicle, and its linear model",
    load: async () => (await import("./trim.ts")).addTrim,
  },
  fit: {
    about: "fit the blade of a vehicle to measurements of a propeller",
    load: async () => (await import("./fit.ts")).addFit,
  },
  goto: {
    group: "Look at a flight:",
    about: "show the situation at an instant of a flight",
    load: async () => (await import("./goto.ts")).addGoto,
  },
  info: {
    about: "show what a recording or a log contains",
    load: async () => (await import("./info.ts")).addInfo,
  },
  require: {
    about: "evaluate requirements on a recorded or logged flight",
    load: async () => (await import("./require.ts")).addRequire,
  },
  report: {
    about: "write a page with plots of a flight; it opens offline",
    load: async () => (await import("./report.ts")).addReport,
  },
  convert: {
    about: "write a log in another format from a recording or a log",
    load: async () => (await import("./convert.ts")).addConvert,
  },
  recover: {
    about: "make a complete file from a recording or log that was cut short",
    load: async () => (await import("./recover.ts")).addRecover,
  },
  compare: {
    group: "Compare flights:",
    about: "replay a recording with several integrators and compare them with a reference",
    load: async () => (await import("./compare.ts")).addCompare,
  },
  diff: { about: "show what differs between two recordings", load: async () => (await import("./diff.ts")).addDiff },
  bisect: {
    about: "find the cause of a difference between two flights, and the point of no return",
    load: async () => (await import("./bisect.ts")).addBisect,
  },
  shrink: {
    about: "make a flight that violates a requirement as simple as possible",
    load: async () => (await import("./shrink.ts")).addShrink,
  },
  tree: {
    about: "show which recordings are branches of which, and what each of them changes",
    load: async () => (await import("./tree.ts")).addTree,
  },
  campaign: {
    group: "Many flights:",
    about: "fly many flights, evaluate them together, and continue after an interruption",
    load: async () => (await import("./campaign.ts")).addCampaign,
  },
  join: {
    about: "fly flights for the campaigns of other machines, through a shared server",
    load: async () => (await import("./join.ts")).addJoin,
  },
  explain: {
    group: "Help and tools:",
    about: "explain an error code",
    load: async () => (await import("./explain.ts")).addExplain,
  },
  doctor: {
    about: "show which optional software is installed and what is missing",
    load: async () => (await import("./doctor.ts")).addDoctor,
  },
  verify: {
    about: "fly the verification problems with every integrator and check their errors",
    load: async () => (await import("./verify.ts")).addVerify,
  },
  schema: {
    about: "print the JSON Schema of flight files, for editors",
    load: async () => (await import("./schema.ts")).addSchema,
  },
  completion: {
    about: "print a completion script for a shell",
    load: async () => (await import("./completion.ts")).addCompletion,
  },
};

export function isCommand(name: string | undefined): name is string {
  return name !== undefined && Object.hasOwn(COMMANDS, name);
}

/** Adds one command to the program, or the overview of all commands. */
export async function addCommands(program: Command, name: string | undefined): Promise<void> {
  layOutHelp(program);
  if (isCommand(name)) (await COMMANDS[name]!.load())(program);
  else {
    for (const [command, { about, group }] of Object.entries(COMMANDS)) {
      if (group !== undefined) program.commandsGroup(group);
      program.command(command).description(about);
    }
    // Puts `help` into the last group.
    program.helpCommand(true);
  }
}
