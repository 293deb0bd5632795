/**
 * Runs the steps around `npm pack`: `before` builds the bundle and its types and copies README, licence and notices
 * into the package; `after` removes those copies.
 *
 * Links in the copied README point to the repository, because the package has no docs folder.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const PACKAGE = "packages/cli";
const COPIES = ["README.md", "LICENSE", "THIRD-PARTY-NOTICES.md"];
const { homepage } = JSON.parse(readFileSync(`${PACKAGE}/package.json`, "utf8")) as { homepage: string };
const files = `${homepage.replace(/#.*/, "")}/blob/main/`;

function before(): void {
  for (const tool of ["tools/build.ts", "tools/build-types.ts"]) {
    execFileSync(process.execPath, ["--import", "tsx", tool], { stdio: "inherit" });
  }
  const readme = readFileSync("README.md", "utf8");
  const absolute = readme.replace(/(\]\(|src=")(?![a-z]+:|#)([^)"]+)/g, (_, start: string, path: string) => {
    return `${start}${files}${path}${/\.(svg|png)$/.test(path) ? "?raw=true" : ""}`;
  });
  writeFileSync(`${PACKAGE}/README.md`, absolute);
  copyFileSync("LICENSE", `${PACKAGE}/LICENSE`);
  copyFileSync(`${PACKAGE}/dist/THIRD-PARTY-NOTICES.md`, `${PACKAGE}/THIRD-PARTY-NOTICES.md`);
}

function after(): void {
  for (const name of COPIES) rmSync(`${PACKAGE}/${name}`, { force: true });
}

if (process.argv[2] === "after") after();
else before();
