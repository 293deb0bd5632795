/**
 * Flies the reference flights in other JavaScript engines and on a different processor (law 9). npm installs the
 * engines that it provides into a cache; the other engines must be installed before, e.g. by `apt install
 * libjavascriptcoregtk-4.0-bin qemu-user libc6-arm64-cross libstdc++6-arm64-cross`. The test of a missing engine is
 * skipped with the reason.
 */
import { existsSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { flyAll } from "../determinism/reference-flights.ts";
import { bundleFlights } from "../determinism/runtimes/bundle.ts";
import { install, installArm64Node } from "../determinism/runtimes/installed.ts";
import { runInProcess } from "../determinism/runtimes/process.ts";
import { runInWorkerd } from "../determinism/runtimes/workerd.ts";

const committed: object = JSON.parse(readFileSync(new URL("../determinism/digests.json", import.meta.url), "utf8"));

const JSC = ["/usr/bin/jsc", "/System/Library/Frameworks/JavaScriptCore.framework/Versions/Current/Helpers/jsc"];

let code = "";
beforeAll(async () => {
  code = await bundleFlights();
});

describe("[L9.1] engines from npm give the committed digests", () => {
  it("Bun (JavaScriptCore)", async ({ skip }) => {
    const bun = install("@oven/bun-linux-x64", "1", "bin/bun");
    if ("missing" in bun) return skip(bun.missing);
    expect(await runInProcess(code, { executable: bun.path })).toEqual(committed);
  });

  it("Deno", async ({ skip }) => {
    const deno = install("@deno/linux-x64-glibc", "2", "deno");
    if ("missing" in deno) return skip(deno.missing);
    expect(await runInProcess(code, { executable: deno.path, args: ["run"] })).toEqual(committed);
  });

  it("workerd", async ({ skip }) => {
    const workerd = install("@cloudflare/workerd-linux-64", "1", "bin/workerd");
    if ("missing" in workerd) return skip(workerd.missing);
    expect(await runInWorkerd(workerd.path, code)).toEqual(committed);
  });
});

describe("[L9.1] JavaScriptCore's own shell gives the committed digests", () => {
  const executable = JSC.find((path) => existsSync(path));

  it.for([
    { tiers: "all tiers", args: [] },
    { tiers: "the baseline compiler only", args: ["--useDFGJIT=false"] },
  ])("with $tiers", async ({ args }, { skip }) => {
    if (executable === undefined) return skip("no jsc is installed");
    expect(await runInProcess(code, { executable, args })).toEqual(committed);
  });
});

describe("[L9.1] a different processor gives the committed digests", () => {
  it("arm64 in an emulator, on excerpts", async ({ skip }) => {
    const node = installArm64Node();
    if ("missing" in node) return skip(node.missing);
    const [executable, ...args] = node.line;
    const run = { executable, args, flights: "excerpts" } as const;
    expect(await runInProcess(code, run)).toEqual(flyAll("excerpts"));
  });
});
