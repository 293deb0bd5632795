/** Writes a campaign page as one HTML file. */
import { type DataBlock, offlinePage, type PageAssets } from "../shared/offline-page.ts";
import type { CampaignPageHead } from "./data.ts";

/** Marks a file as a campaign page of this program. */
export const CAMPAIGN_MARK = '<meta name="generator" content="Escapement campaign">';

export function campaignHtml(page: DataBlock & { readonly head: CampaignPageHead }, assets: PageAssets): string {
  return offlinePage({ title: page.head.summary.campaign.name, mark: CAMPAIGN_MARK, blocks: [page], assets });
}
