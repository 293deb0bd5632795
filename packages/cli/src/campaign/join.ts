/** Implements `escapement join`: flies the flights that coordinators queue, until it is stopped. */
import { resolve } from "node:path";
import { type Campaign, folderName, joinQueue } from "@escapement/campaign";
import type { JoinFlags } from "../commands/join.ts";
import { EXIT } from "../exit-codes.ts";
import { Interrupt } from "../interrupt.ts";
import { withCustomParts } from "../load/custom-parts.ts";
import { printError } from "../print/error.ts";
import { registry as builtIn } from "../registry.ts";
import { campaignCode } from "./code-hash.ts";
import { limitFlag, threadsFlag } from "./flags.ts";
import { openLocalFleet } from "./open-fleet.ts";

export async function runJoin(url: string, flags: JoinFlags): Promise<number> {
  const jobs = threadsFlag(flags.threads, "--threads");
  const limits = limitFlag(flags.limit);
  const modules = flags.with.map((path) => resolve(path));
  const registry = await withCustomParts(builtIn, modules);
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const campaigns: { name: string; identity: string; flown: number }[] = [];
  const interrupt = new Interrupt();
  interrupt.listen();
  try {
    await joinQueue(url, {
      codeOf: ({ flownBy }) => campaignCode(flownBy, modules),
      openFleet: (campaign, events) =>
        openLocalFleet({ campaign, registry, modules }, events, Infinity, { jobs, limits, folder: folderOf(campaign) }),
      signal: interrupt.signal,
      onNote: say,
      onOtherBuild: (error) => printError(error, "warning"),
      onCampaign: ({ name, identity }, flown) => {
        if (flown !== undefined) campaigns.push({ name, identity, flown });
        say(flown === undefined ? `${name} ${identity}: flying` : `${name} ${identity}: ${flown} flights flown`);
      },
    });
    say("left the queue");
    if (flags.json === true) process.stdout.write(`${JSON.stringify({ campaigns }, null, 2)}\n`);
    return EXIT.done;
  } finally {
    interrupt.stopListening();
  }
}

/** Returns the folder for recordings of flights that cannot be flown again; no other campaign uses it. */
function folderOf({ manifest: { file, identity } }: Campaign): string {
  return `${folderName(file)}-${identity.replace(/^c1:/, "")}`;
}
