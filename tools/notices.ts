/**
 * Collects the licences of the packages in a bundle, from the bundler's list of modules and the licence texts in
 * node_modules. Nothing is listed by hand, so nothing can be forgotten.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Notice {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

/** Returns one notice per package, sorted by name. */
export function noticesOf(moduleIds: readonly string[]): Notice[] {
  const folders = new Set(moduleIds.flatMap((id) => packageFolder(id) ?? []));
  return [...folders].map(noticeIn).sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function noticesMarkdown(notices: readonly Notice[]): string {
  const parts = notices.map(
    ({ name, version, license, text }) => `## ${name} ${version} (${license})\n\n\`\`\`text\n${text}\n\`\`\``,
  );
  const head = "# Third-party notices\n\nThe bundle of `escapement` contains code from these packages.";
  return `${[head, ...parts].join("\n\n")}\n`;
}

/** Formats the notices as comments for scripts and style sheets, in the form that minifiers keep. */
export function noticesComment(notices: readonly Notice[]): string {
  return notices
    .map(
      ({ name, version, license, text }) =>
        `/*! ${name} ${version} (${license})\n\n${text.replaceAll("*/", "* /")} */\n`,
    )
    .join("");
}

/**
 * Returns the folder of the innermost package that a module belongs to, or undefined for sources of this repository.
 */
function packageFolder(id: string): string | undefined {
  return /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id)?.[1];
}

function noticeIn(folder: string): Notice {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Notice;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.(md|txt))?$/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence text in ${folder}`);
  return { name, version, license, text: readFileSync(join(folder, file), "utf8").trim() };
}
