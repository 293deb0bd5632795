/** Decoding a frame returns the encoded message, including arrays and numbers that JSON does not have. */
import { describe, expect, it } from "vitest";
import type { FromWorker } from "../protocol.ts";
import { decodeFrame, encodeFrame } from "./frames.ts";

const back = (message: FromWorker) => decodeFrame(encodeFrame(message).slice().buffer as ArrayBuffer);

describe("frames", () => {
  it("keep rows bit for bit", () => {
    const timesUs = Float64Array.of(0, 20_000, 40_000.5);
    const values = Float32Array.of(1, -0, Number.NaN, 1e-40, Infinity, 6);
    const message: FromWorker = { is: "rows", id: 3, fromRow: 7, batch: { timesUs, values }, flownUs: 40_000 };
    const found = back(message) as typeof message;
    expect(found).toEqual(message);
    expect(Object.is(found.batch.values[1], -0)).toBe(true);
  });

  it("keep texts, files and numbers that JSON does not have", () => {
    const errors = [{ code: "VIEW-009", what: "ä → “x”", fix: "", where: {} }];
    expect(back({ is: "rejected", seq: 1, errors })).toEqual({ is: "rejected", seq: 1, errors });
    const odd = { is: "waiting", id: 1, flownUs: Infinity, files: { "a.plan": Uint8Array.of(1, 2, 3) } };
    expect(back(odd as FromWorker)).toEqual(odd);
  });
});
