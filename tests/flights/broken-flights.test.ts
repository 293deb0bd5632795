/** Every broken flight is rejected with exactly the errors that its entry lists. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { coreRegistry, type SimError } from "@escapement/core";
import { FlightFiles } from "../../packages/cli/src/load/flight-files.ts";
import { type BrokenFlight, brokenFlights, type ExpectedError } from "./broken-flights.ts";

const folder = mkdtempSync(join(tmpdir(), "escapement-broken-"));
afterAll(() => rmSync(folder, { recursive: true }));

function writeFiles({ toml, json, files = {} }: BrokenFlight, index: number): { home: string; flight: string } {
  const home = join(folder, String(index));
  const name = json === undefined ? "flight.toml" : "flight.json";
  for (const [path, text] of Object.entries({ [name]: json ?? toml ?? "", ...files })) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return { home, flight: join(home, name) };
}

/** Converts an error to the form of an entry. */
function asEntry({ code, where, what, fix }: SimError, home: string): Record<string, unknown> {
  const file =
    where.file === undefined ? undefined : where.file.includes("/") ? relative(home, resolve(where.file)) : where.file;
  return { code, key: where.key, line: where.line, file, what, fix };
}

function matcherOf({ code, key, line, file, what, fix }: ExpectedError, ownFile: string): Record<string, unknown> {
  return {
    code,
    key,
    line,
    file: file ?? ownFile,
    what: expect.stringContaining(what),
    fix: expect.stringContaining(fix),
  };
}

describe("broken flights", () => {
  it("are at least sixty, with unique names", () => {
    expect(brokenFlights.length).toBeGreaterThanOrEqual(60);
    expect(new Set(brokenFlights.map(({ name }) => name)).size).toBe(brokenFlights.length);
  });

  it.each(brokenFlights.map((flight, index) => [flight.name, flight, index] as const))(
    "%s",
    async (_name, flight, index) => {
      const { home, flight: path } = writeFiles(flight, index);
      const { resolved, errors } = await new FlightFiles(coreRegistry).resolve({ name: path });
      expect(resolved).toBeUndefined();
      const ownFile = flight.json === undefined ? "flight.toml" : "flight.json";
      expect(errors.map((error) => asEntry(error, home))).toEqual(
        flight.errors.map((entry) => matcherOf(entry, ownFile)),
      );
      for (const { what, fix } of errors) {
        expect(what.length).toBeLessThan(300);
        expect(fix.length).toBeGreaterThan(3);
      }
    },
  );
});
