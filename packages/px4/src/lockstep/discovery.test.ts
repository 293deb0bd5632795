/** The search order for the library, and the error if it is missing. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findLockstep, libraryName } from "./discovery.ts";
import { inspectPx4 } from "../inspect.ts";
import { findSitl } from "../sitl/px4-process.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-find-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(...parts: string[]): string {
  const path = join(folder, ...parts);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "");
  return path;
}

describe("finding PX4", () => {
  it("tries PX4_LOCKSTEP_LIB first, then the builds of PX4_DIR, and uses the messages of that tree", () => {
    const second = put("tree", "build", "px4_sitl_default", "src", "lib", "px4_lockstep", libraryName());
    mkdirSync(join(folder, "tree", "msg"));
    expect(findLockstep({ PX4_DIR: join(folder, "tree") })).toEqual({
      library: second,
      messages: join(folder, "tree", "msg"),
    });
    const first = put("tree", "build", "px4_sitl_lockstep", "src", "lib", "px4_lockstep", libraryName());
    expect(findLockstep({ PX4_DIR: join(folder, "tree") }).library).toBe(first);
    const named = put("elsewhere", libraryName());
    expect(findLockstep({ PX4_LOCKSTEP_LIB: named, PX4_DIR: join(folder, "tree") })).toEqual({ library: named });
    put("messages", "VehicleStatus.msg");
    expect(findLockstep({ PX4_LOCKSTEP_LIB: named, PX4_MSG_DIR: join(folder, "messages") }).messages).toBe(
      join(folder, "messages"),
    );
  });

  it("reports what is missing and how to fix it", () => {
    expect(() => findLockstep({})).toThrow(/LOCKSTEP-001: PX4_LOCKSTEP_LIB is not set/);
    expect(() => findSitl({})).toThrow(/SITL-001: PX4_SITL_BIN is not set/);
    expect(() => findSitl({ PX4_SITL_BIN: "/no/such/px4" })).toThrow(/not a file/);
    const binary = put("stock", "bin", "px4");
    expect(() => findSitl({ PX4_SITL_BIN: binary })).toThrow(/SITL-001.*not a program that may be run/);
    chmodSync(binary, 0o755);
    expect(() => findSitl({ PX4_SITL_BIN: binary })).toThrow(/contains no PX4 start scripts/);
    mkdirSync(join(folder, "stock", "etc", "init.d-posix"), { recursive: true });
    const found = { binary, etc: join(folder, "stock", "etc") };
    expect(findSitl({ PX4_SITL_BIN: binary })).toEqual(found);
    expect(findSitl({ PX4_SITL_BIN: binary, PX4_SITL_ETC: "" })).toEqual(found);
    expect(() => findSitl({ PX4_SITL_BIN: binary, PX4_SITL_ETC: binary })).toThrow(/SITL-001.*no PX4 start scripts/);
  });

  it("does not fall back if a variable is set but wrong; doctor reports the same", () => {
    const library = put("right", "build", "px4_sitl_default", "src", "lib", "px4_lockstep", libraryName());
    const PX4_DIR = join(folder, "right");
    const wrong: [NodeJS.ProcessEnv, RegExp][] = [
      [{ PX4_DIR, PX4_LOCKSTEP_LIB: "/no/such/file" }, /PX4_LOCKSTEP_LIB names \/no\/such\/file, which is not a file/],
      [{ PX4_DIR, PX4_LOCKSTEP_LIB: folder }, /which is not a file/],
      [{ PX4_DIR: library }, /PX4_DIR names .* which is not a folder/],
      [{ PX4_DIR: folder }, /the tree that PX4_DIR names has none of these files/],
      [{ PX4_DIR, PX4_MSG_DIR: "/no/such/folder" }, /PX4_MSG_DIR names \/no\/such\/folder, which is not a folder/],
      [{ PX4_DIR, PX4_MSG_DIR: folder }, /PX4_MSG_DIR names .* which contains no \.msg files/],
      [{ PX4_DIR, PX4_MSG_DIR: library }, /PX4_MSG_DIR names .* which is not a folder/],
    ];
    for (const [env, message] of wrong) {
      expect(() => findLockstep(env)).toThrow(message);
      expect(inspectPx4(env)[0]).toMatchObject({ isThere: false, what: expect.stringMatching(message) as string });
    }
    expect(findLockstep({ PX4_LOCKSTEP_LIB: "", PX4_DIR, PX4_MSG_DIR: "" })).toEqual({ library });
  });
});
