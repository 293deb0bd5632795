/** Every command by name, each in a file of its own that is loaded when it is asked for. */
import type { Command } from "commander";

type AddCommand = (program: Command) => void;

/** In the order in which help lists them. */
export const COMMANDS = {
  fly: async () => (await import("./fly.ts")).addFly,
  replay: async () => (await import("./replay.ts")).addReplay,
  compare: async () => (await import("./compare.ts")).addCompare,
  diff: async () => (await import("./diff.ts")).addDiff,
  report: async () => (await import("./report.ts")).addReport,
  convert: async () => (await import("./convert.ts")).addConvert,
  list: async () => (await import("./list.ts")).addList,
  check: async () => (await import("./check.ts")).addCheck,
  init: async () => (await import("./init.ts")).addInit,
  explain: async () => (await import("./explain.ts")).addExplain,
  verify: async () => (await import("./verify.ts")).addVerify,
  schema: async () => (await import("./schema.ts")).addSchema,
  completion: async () => (await import("./completion.ts")).addCompletion,
  doctor: async () => (await import("./doctor.ts")).addDoctor,
} as const satisfies Readonly<Record<string, () => Promise<AddCommand>>>;

export function isCommand(name: string | undefined): name is keyof typeof COMMANDS {
  return name !== undefined && Object.hasOwn(COMMANDS, name);
}
