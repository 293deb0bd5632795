/** `escapement join`: makes this machine a worker of campaigns that are flown with `--fleet`. */
import type { Command } from "commander";
import { collect, WITH_FLAG } from "./options.ts";

export interface JoinFlags {
  readonly threads?: string;
  readonly limit?: string;
  readonly with: readonly string[];
  readonly json?: true;
}

export function addJoin(program: Command): void {
  program
    .command("join")
    .description("fly flights for the campaigns of other machines, through a shared server")
    .argument("<url>", "address of the Redis or Valkey server, as given to `campaign --fleet`")
    .option("--threads <n>", "number of concurrent flights; by default one per core")
    .option(
      "--limit <seconds>",
      "processor time that every flight may take; after that its thread may be replaced (default 30)",
    )
    .option(...WITH_FLAG, collect, [])
    .option("--json", "print the number of flights per campaign as JSON when the worker leaves")
    .addHelpText(
      "after",
      "\nThe worker may join before or after campaigns start, and serves one after the other until it is stopped. Ctrl-C or\n" +
        "SIGTERM puts its flights back into the queue. It ignores campaigns of a different build.\n" +
        "\nExamples:\n  escapement join redis://10.0.0.5:6379\n  escapement join rediss://user:password@queue.example:6380 --threads 16",
    )
    .action(async (url: string, flags: JoinFlags) => {
      const { runJoin } = await import("../campaign/join.ts");
      process.exitCode = await runJoin(url, flags);
    });
}
