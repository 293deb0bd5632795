/**
 * Remembers the results folder of each campaign that was flown in a working folder. Each campaign has a file in
 * `.escapement/campaigns`, named after its identity, that contains the path of the folder that was used last.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { campaignErrors, JOURNAL_FILE, writeText } from "@escapement/campaign";

const KNOWN_FOLDER = join(".escapement", "campaigns");
const IDENTITY = /^c1:([0-9a-f]{16})$/;

export function rememberFolder(identity: string, folder: string): void {
  mkdirSync(KNOWN_FOLDER, { recursive: true });
  writeText(fileOf(IDENTITY.exec(identity)![1]!), `${folder}\n`);
}

/** Returns the folder of a campaign by its identity; undefined if the name is not an identity. */
export function knownFolder(name: string): string | undefined {
  const [, digits] = IDENTITY.exec(name) ?? [];
  if (digits === undefined) return undefined;
  const file = fileOf(digits);
  const folder = existsSync(file) ? readFileSync(file, "utf8").trimEnd() : undefined;
  if (folder !== undefined && existsSync(join(folder, JOURNAL_FILE))) return folder;
  throw campaignErrors.notStored({
    what:
      folder === undefined ? `no campaign ${name} was flown here` : `${folder} no longer holds the campaign ${name}`,
    where: { file },
    fix: "run the command in the folder in which the campaign was flown, or name its folder: escapement fly <folder>#<number>",
  });
}

function fileOf(digits: string): string {
  return join(KNOWN_FOLDER, `${digits}.txt`);
}
