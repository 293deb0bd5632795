/**
 * Implements `escapement campaign judge`: flies the flights of a campaign again and judges them with more requirements.
 */
import { CampaignFlyer, criteriaErrors, judgeAgain, refusedCampaign, type Row } from "@escapement/campaign";
import { requirement } from "@escapement/core";
import type { JudgeFlags } from "../commands/campaign.ts";
import { cliErrors } from "../errors.ts";
import { withCustomParts } from "../load/custom-parts.ts";
import { registry as builtIn } from "../registry.ts";
import { campaignCode } from "./code-hash.ts";
import { flyAndPrint } from "./run.ts";
import { openStored } from "./stored-campaign.ts";

export async function runJudge(folder: string, flags: JudgeFlags): Promise<number> {
  if (flags.require.length === 0 && flags.criterion.length === 0) {
    throw cliErrors.badCampaignFlag({
      what: "neither --require nor --criterion is given",
      fix: "give --require 'never tilt > 45 deg', or --criterion",
    });
  }
  const registry = await withCustomParts(builtIn, flags.with);
  const { campaign: before, root, rows } = openStored(folder);
  if (!before.manifest.isRepeatable) {
    throw cliErrors.badCampaignFlag({
      what: "flights with stock PX4 are not repeatable, so they cannot be judged again",
      where: { file: folder },
      fix: "add the requirement to the campaign's file, and fly the campaign again with --fresh",
    });
  }
  const campaign = judgeAgain(before, {
    registry,
    require: flags.require.map((text) => {
      const { name, text: withSortedKeys, severity, mustOccur } = requirement(text);
      return { name, text: withSortedKeys, severity, mustOccur };
    }),
    ...(flags.criterion.length === 0 ? {} : { criteria: flags.criterion }),
    code: campaignCode(before.flownBy, flags.with),
    rowOf: (k: number): Row | undefined => rows.get(k),
  });
  const errors = criteriaErrors(campaign.manifest, new CampaignFlyer(campaign, { registry }).plan);
  if (errors.length > 0) throw refusedCampaign(errors);
  const loaded = { campaign, registry, modules: flags.with, warnings: [], root: root ?? undefined };
  const output = flags.output ?? `${folder.replace(/[\\/]+$/, "")}-judged`;
  // The campaign's file does not contain the new requirements, so flights are named by the folder.
  return flyAndPrint(loaded, { file: output, folder: output }, { ...flags, output, cache: true });
}
