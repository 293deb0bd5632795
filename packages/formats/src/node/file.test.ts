/** Files: created exclusively, complete or absent if requested, and a typed error for every failure. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { SimError, type Sink } from "@escapement/core";
import { flightColumns, flightRow } from "../../../../tests/support/flight-columns.ts";
import { expectedColumn, writeRows } from "../../../../tests/support/log-rows.ts";
import { CsvSink } from "../logs/csv/sink.ts";
import { readCsv } from "../logs/csv/reader.ts";
import { openLog, readTable } from "../logs/index.ts";
import { leftOverParts, completeNameOf, partName } from "./parts.ts";
import { FileBytes, type FileCalls } from "./file.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-file-"));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;
const freshPath = () => join(folder, `log-${(count += 1)}.csv`);

async function errorOf(act: () => unknown): Promise<SimError> {
  try {
    await act();
  } catch (error) {
    expect(error).toBeInstanceOf(SimError);
    return error as SimError;
  }
  throw new Error("nothing was thrown");
}

/** Runs a program in a process of its own, and returns what it printed. */
async function outputOf(program: string, args: readonly string[]): Promise<string> {
  const flags = ["--import", "tsx", "--conditions=source", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...args]);
  return stdout.trim();
}

/** Makes the n-th write fail with a code, after writing `taken` of its bytes. */
function failingCalls(n: number, code: string, taken = 0): FileCalls {
  let calls = 0;
  return {
    write: (fd, bytes, offset) => {
      calls += 1;
      if (calls < n) return writeSync(fd, bytes, offset);
      if (calls === n && taken > 0) return writeSync(fd, bytes, offset, Math.min(taken, bytes.length - offset));
      throw Object.assign(new Error(code), { code });
    },
    sync: () => {},
  };
}

const FLIGHT_COLUMNS = flightColumns();

async function writeFlight(sink: Sink, rows: number): Promise<void> {
  sink.open(FLIGHT_COLUMNS);
  for (let i = 0; i < rows; i += 1) sink.row(i * 4000, flightRow(FLIGHT_COLUMNS, i % 64));
  await sink.close();
}

describe("files", () => {
  it("contain the bytes that were written", async () => {
    const path = freshPath();
    const bytes = new FileBytes(path);
    await writeRows(new CsvSink(bytes), 2000);
    const content = readFileSync(path);
    expect(bytes.bytesWritten).toBe(content.length);
    expect([...readCsv(content).columns.get("armed")!]).toEqual(expectedColumn(3, 2000));
  });

  it("reject a second writer and keep the rows of the first writer", async () => {
    const path = freshPath();
    const first = new CsvSink(new FileBytes(path));
    const error = await errorOf(() => new FileBytes(path));
    expect([error.code, error.where.file]).toEqual(["FILE-020", path]);
    await writeRows(first, 3);
    expect(readCsv(readFileSync(path)).columns.get("time_us")).toHaveLength(3);
  });

  it("are overwritten only on request", async () => {
    const path = freshPath();
    writeFileSync(path, "precious");
    expect((await errorOf(() => new FileBytes(path, { whenComplete: true }))).code).toBe("FILE-020");
    expect(readFileSync(path, "utf8")).toBe("precious");
    const bytes = new FileBytes(path, { overwrite: true, whenComplete: true });
    bytes.write(Uint8Array.of(65));
    expect(readFileSync(path, "utf8")).toBe("precious");
    bytes.close();
    expect(readFileSync(path, "utf8")).toBe("A");
  });

  it("keep their old content until the new content is complete", () => {
    const path = freshPath();
    writeFileSync(path, "precious");
    new FileBytes(path, { overwrite: true }).close();
    new FileBytes(path, { overwrite: true }).discard();
    expect(readFileSync(path, "utf8")).toBe("precious");
    const bytes = new FileBytes(path, { overwrite: true });
    expect(readFileSync(path, "utf8")).toBe("precious");
    bytes.write(Uint8Array.of(65));
    bytes.write(Uint8Array.of(66));
    expect(readFileSync(path, "utf8")).toBe("precious");
    expect(leftOverParts(path)).toEqual([]);
    const part = `${path}.${process.pid}.part`;
    expect(leftOverParts(path, () => false)).toEqual([part]);
    expect([completeNameOf(part), completeNameOf(path)]).toEqual([path, undefined]);
    bytes.close();
    expect(readFileSync(path, "utf8")).toBe("AB");
    expect(leftOverParts(path, () => false)).toEqual([]);
  });

  it.each([{ whenComplete: true }, { whenComplete: false }])(
    "written by two processes at the same time have the content of the last process: %o",
    (when) => {
      const path = freshPath();
      writeFileSync(path, "precious");
      const [pid, other] = [process.pid, process.pid + 1];
      const first = new FileBytes(path, { overwrite: true, ...when });
      Object.defineProperty(process, "pid", { value: other, configurable: true });
      const second = new FileBytes(path, { overwrite: true, ...when });
      Object.defineProperty(process, "pid", { value: pid, configurable: true });
      first.write(Uint8Array.of(65));
      second.write(Uint8Array.of(66));
      first.write(Uint8Array.of(65));
      first.close();
      second.close();
      expect(readFileSync(path, "utf8")).toBe("B");
      expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
    },
  );

  it("appear only when complete, if this is requested", () => {
    const path = freshPath();
    const whole = new FileBytes(path, { whenComplete: true });
    whole.write(Uint8Array.of(65, 66));
    expect(existsSync(path)).toBe(false);
    whole.close();
    expect(readFileSync(path, "utf8")).toBe("AB");
    const torn = freshPath();
    const broken = new FileBytes(torn, { whenComplete: true });
    broken.write(Uint8Array.of(65));
    broken.discard();
    expect([existsSync(torn), existsSync(`${torn}.part`)]).toEqual([false, false]);
  });

  it("never replace a file that another process has created since they were opened", async () => {
    const path = freshPath();
    const file = new FileBytes(path, { whenComplete: true });
    file.write(Buffer.from("second"));
    writeFileSync(path, "first");
    const error = await errorOf(() => file.close());
    expect(error.code).toBe("FILE-020");
    expect(error.fix).toContain(partName(path));
    expect(readFileSync(path, "utf8")).toBe("first");
    expect(readFileSync(partName(path), "utf8")).toBe("second");
    rmSync(partName(path));
  });

  it("get their final name from exactly one of two processes that finish at the same time", async () => {
    const path = freshPath();
    const program = `
      import { renameToFreeName } from ${JSON.stringify(new URL("file.ts", import.meta.url).href)};
      import { existsSync, writeFileSync } from "node:fs";
      const [part, path, ready, go] = process.argv.slice(1);
      writeFileSync(ready, "");
      while (!existsSync(go));
      try { renameToFreeName(part, path); console.log("renamed"); } catch (error) { console.log(error.code); }`;
    for (let round = 0; round < 3; round += 1) {
      const [go, target] = [`${path}.go${round}`, `${path}.${round}`];
      const parts = ["a", "b"].map((letter) => `${target}.${letter}`);
      for (const part of parts) writeFileSync(part, part);
      const ended = parts.map((part) => outputOf(program, [part, target, `${part}.ready`, go]));
      while (!parts.every((part) => existsSync(`${part}.ready`))) await new Promise((done) => setTimeout(done, 5));
      writeFileSync(go, "");
      const outputs = await Promise.all(ended);
      expect([...outputs].sort()).toEqual(["FILE-020", "renamed"]);
      expect(readFileSync(target, "utf8")).toBe(parts[outputs.indexOf("renamed")]);
    }
  });

  it("replace provisional bytes by the next bytes", () => {
    const path = freshPath();
    const bytes = new FileBytes(path);
    const letters = (text: string) => new TextEncoder().encode(text);
    bytes.write(letters("A"));
    bytes.writeProvisionally(letters("long"));
    expect(readFileSync(path, "utf8")).toBe("Along");
    bytes.writeProvisionally(letters("b"));
    expect(readFileSync(path, "utf8")).toBe("Ab");
    bytes.writeProvisionally(letters("long"));
    bytes.write(letters("B"));
    expect([readFileSync(path, "utf8"), bytes.bytesWritten]).toEqual(["AB", 2]);
    bytes.writeProvisionally(letters("long"));
    bytes.close();
    expect(readFileSync(path, "utf8")).toBe("AB");
  });

  it("are rejected in a missing folder and at the path of a folder", async () => {
    expect((await errorOf(() => new FileBytes(join(folder, "nowhere", "a.csv")))).code).toBe("FILE-023");
    const file = freshPath();
    writeFileSync(file, "");
    expect((await errorOf(() => new FileBytes(join(file, "a.csv")))).code).toBe("FILE-023");
    mkdirSync(join(folder, "sub"), { recursive: true });
    expect((await errorOf(() => new FileBytes(join(folder, "sub")))).code).toBe("FILE-024");
  });

  it("are rejected in a protected folder", async (context) => {
    if (process.getuid?.() === 0) context.skip("the superuser may write anywhere");
    const locked = join(folder, "locked");
    mkdirSync(locked, { mode: 0o500 });
    expect((await errorOf(() => new FileBytes(join(locked, "a.csv")))).code).toBe("FILE-024");
  });

  it.each(["EROFS", "EACCES"])("report %s as a location that cannot be written", async (code) => {
    const bytes = new FileBytes(freshPath(), {}, failingCalls(1, code));
    expect((await errorOf(() => bytes.write(Uint8Array.of(1)))).code).toBe("FILE-024");
  });

  it("report a full disk", async (context) => {
    if (!existsSync("/dev/full")) context.skip("this system has no /dev/full");
    const sink = new CsvSink(new FileBytes("/dev/full"));
    const error = await errorOf(() => writeRows(sink, 10_000));
    expect(error.code).toBe("FILE-021");
    expect(error.what).toContain("after 0 bytes");
  });

  it.each([
    ["csv", "ENOSPC"],
    ["csv", "EIO"],
    ["ulog", "ENOSPC"],
    ["ulog", "EIO"],
  ] as const)("of kind %s keep what was written and report its size if any write fails with %s", async (kind, code) => {
    for (let n = 1; n <= 5; n += 1) {
      for (const taken of [0, 20_000]) {
        const path = freshPath();
        const sink: Sink = await openLog(kind, new FileBytes(path, {}, failingCalls(n, code, taken)));
        const error = await errorOf(() => writeFlight(sink, 2500));
        await sink.close();
        const content = readFileSync(path);
        expect(error.code).toBe(code === "EIO" ? "FILE-022" : "FILE-021");
        expect(error.what).toContain(`after ${content.length} bytes`);
        if (content.length === 0) continue;
        const table = await readTable(content);
        const values = table.columns.get(kind === "csv" ? "armed" : "vehicle_status.arming_state") ?? [];
        expect(table.missing).toContain("the end");
        expect(n === 1 || values.length > 0).toBe(true);
      }
    }
  });
});
