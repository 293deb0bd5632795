/** Checkpoints as bytes: every bit is kept, and a changed byte is rejected. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FlightSession, SimError, Snapshot } from "@escapement/core";
import { decodeCheckpoint, encodeCheckpoint } from "./checkpoint.ts";
import { volume } from "../../../../tests/support/volume.ts";

const short = { extends: "gust", timeline: { endS: 6 } } as const;

describe("a checkpoint as bytes", () => {
  it("contains every bit of any snapshot", () => {
    const section = fc.record({ name: fc.string({ maxLength: 20 }), values: fc.array(fc.double()) });
    fc.assert(
      fc.property(fc.array(section, { maxLength: 20 }), fc.string({ maxLength: 64 }), (given, hash) => {
        const sections = given.map(({ name, values }) => ({ name, values: Float64Array.from(values) }));
        const { program, snapshot } = decodeCheckpoint(encodeCheckpoint(new Snapshot(sections, hash), "escapement 1"));
        expect(program).toBe("escapement 1");
        expect(snapshot.flightHash).toBe(hash);
        expect(snapshot.sections).toEqual(sections);
      }),
    );
  });

  it("[L9.7] continues the flight in a session that reads it", () => {
    const session = FlightSession.open(short);
    session.advance(3_000_000);
    const bytes = encodeCheckpoint(session.save(), "test");
    // The checkpoint of a quadrotor has about 8 kB.
    expect(bytes.length).toBeLessThan(10_000);
    session.advance();
    const other = FlightSession.open(short);
    other.load(decodeCheckpoint(bytes).snapshot);
    expect(other.nowUs).toBe(3_000_000);
    other.advance();
    expect(other.result().digests).toEqual(session.result().digests);
  });

  it("rejects every changed, missing or added byte with a typed error", () => {
    const bytes = encodeCheckpoint(FlightSession.open(short).save(), "test");
    const codeOf = (changed: Uint8Array) => {
      try {
        decodeCheckpoint(changed);
        return "accepted";
      } catch (error) {
        return error instanceof SimError ? error.code : String(error);
      }
    };
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = bytes.slice();
        changed[at]! ^= flip;
        expect(["CHECKPOINT-001", "CHECKPOINT-002"]).toContain(codeOf(changed));
      }),
      { numRuns: volume(500, 5000) },
    );
    for (const length of [0, 7, 8, 20, bytes.length - 1]) {
      expect(codeOf(bytes.subarray(0, length))).toBe("CHECKPOINT-001");
    }
    expect(codeOf(new Uint8Array([...bytes, 0]))).toBe("CHECKPOINT-001");
  });

  it("with invalid values is flown or rejected with a typed error, and neither hangs nor crashes", () => {
    const saved = FlightSession.open(short).save();
    const strange = fc.constantFrom(NaN, Infinity, -1, 1e300, 2 ** 53, 0.5, -0);
    fc.assert(
      fc.property(fc.nat(saved.sections.length - 1), fc.nat(600), strange, (which, index, value) => {
        const sections = saved.sections.map(({ name, values }, i) => {
          const copy = values.slice();
          if (i === which && copy.length > 0) copy[index % copy.length] = value;
          return { name, values: copy };
        });
        const session = FlightSession.open({ ...short, timeline: { endS: 0.1 } });
        const loaded = new Snapshot(sections, session.save().flightHash);
        try {
          session.load(loaded);
          session.advance();
        } catch (error) {
          if (!(error instanceof SimError)) throw error;
        }
      }),
      { numRuns: volume(30, 300) },
    );
  });
});
