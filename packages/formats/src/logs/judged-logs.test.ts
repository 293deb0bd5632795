/**
 * Requirements on logs. The verdicts on our own logs are compared with those of the flight, and the verdicts on a log
 * from PX4 with results of numpy and pyulog.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { coreRegistry, flyFlightNow, judgeLog, mustResolve, resolveFlight, type Verdict } from "@escapement/core";
import { MemoryBytes } from "../bytes/byte-sink.ts";
import { loggedFlight } from "./logged-flight.ts";
import { openLog } from "./open-log.ts";
import { type LogKind, readTable } from "./read-table.ts";
import { logRecording } from "./rewrite.ts";

const REQUIREMENTS = [
  "never tilt > 3 deg",
  "always altitude > 2 m during 4 s..7 s",
  "after takeoff: eventually altitude > 2.4 m",
  "if tilt > 1 deg then within 2 s: tilt < 0.5 deg",
  "while armed: batteryVoltage[1] > 13 V",
  "within 2 s after takeoff: climb > 1 m/s and speed < 3 m/s",
  "norm(rateBody) < 20 deg/s",
  "for 1 s after takeoff: positionError < 3 m",
  "batteryRemaining > 50 %",
];

/**
 * The log has the period of the autopilot, so it has a row at every instant at which the monitors evaluate the flight.
 */
const SPEC = {
  extends: "hover",
  timeline: { endS: 6, logPeriodS: 0.004 },
  wind: { kind: "constant", windNedMps: [3, 1, 0] },
  requirements: REQUIREMENTS,
};
const flight = flyFlightNow(mustResolve(resolveFlight({ file: "judged", spec: SPEC as never }, coreRegistry)));
const expected = flight.verdicts;

async function logOf(kind: LogKind, columns?: readonly string[]) {
  const bytes = new MemoryBytes();
  await logRecording(flight.recording, await openLog(kind, bytes, columns === undefined ? {} : { columns }));
  return loggedFlight(await readTable(bytes.bytes(), kind));
}

const withoutNote = ({ note: _note, ...verdict }: Verdict) => verdict;

describe("a log of ours", () => {
  it.each(["csv", "parquet", "hdf5", "mcap"] as const)(
    "in %s has the verdicts of the flight, bit for bit",
    async (kind) => {
      const found = judgeLog(await logOf(kind), REQUIREMENTS);
      expect(found.map(withoutNote)).toEqual(expected);
      expect(found.map(({ note }) => note)).toEqual(REQUIREMENTS.map(() => undefined));
    },
  );

  it("in ULog has the verdicts within the precision of its 32-bit numbers", async () => {
    const found = judgeLog(await logOf("ulog"), REQUIREMENTS);
    found.forEach(({ verdict, low, high }, i) => {
      const { text, ...exact } = expected[i]!;
      expect([text, verdict]).toEqual([text, exact.verdict]);
      if (Number.isFinite(exact.low)) expect(Math.abs(low - exact.low), text).toBeLessThan(2e-2);
      if (Number.isFinite(exact.high)) expect(Math.abs(high - exact.high), text).toBeLessThan(2e-2);
    });
  });

  it("that lacks a column is rejected, and the error names the column", async () => {
    const log = await logOf("csv", ["pos_ned_d_m", "pos_ned_e_m", "armed"]);
    const [verdict] = judgeLog(log, ["altitude < 5 m"]);
    expect(verdict).toMatchObject({ verdict: "undecided" });
    expect(verdict!.note).toBe(
      "altitude needs posNed, which the log does not have; log the column pos_ned_n_m or the columns est_pos_ned_n_m, est_pos_ned_e_m, est_pos_ned_d_m",
    );
  });
});

describe("a log that PX4 wrote", async () => {
  const folder = new URL("../../../../tests/fixtures/px4-log/", import.meta.url);
  const table = await readTable(readFileSync(new URL("takeoff.ulg", folder)), "ulog");
  const log = loggedFlight(table);
  const numpy = JSON.parse(readFileSync(new URL("expected.json", folder), "utf8")) as Record<
    string,
    { readonly value: number; readonly atS: number }
  >;

  it.each([
    ["never tilt > 30 deg", "highestTiltDeg", 30, -1, 1],
    ["altitude < 10 m", "highestAltitudeM", 10, -1, 1],
    ["climb < 2 m/s", "fastestClimbMps", 2, -1, 1],
    ["batteryVoltageV > 10", "lowestVoltageV", 10, 1, 1],
    ["load < 2 g", "highestLoadG", 2, -1, 9.80665],
  ])("%s has the margin and the instant that numpy finds", (text, key, limit, sign, unit) => {
    const { low, binding, verdict } = judgeLog(log, [text])[0]!;
    const { value, atS } = numpy[key]!;
    expect(verdict).toBe("holds");
    expect(low / unit).toBeCloseTo(sign * (value - limit), 9);
    expect(binding!.tUs / 1e6).toBe(atS);
  });

  it("has events, setpoints and codes", () => {
    const requirements = [
      "within 6 s after arming: takeoff",
      "after takeoff: positionError < 1 m",
      "always gnssSatellites == 12",
      "eventually navState is mission",
    ];
    const found = judgeLog(log, requirements).map(({ verdict }) => verdict);
    expect(found).toEqual(["holds", "holds", "holds", "holds"]);
    expect(judgeLog(log, ["after arming: altitude > -1 m"])[0]!.binding!.tUs / 1e6).toBe(numpy["armedS"]);
  });

  it("has no position before the estimator has a position", () => {
    expect(judgeLog(log, ["always estPosNed.n < 50 m"])[0]).toMatchObject({ verdict: "undecided", low: -Infinity });
  });

  it("has no wind, and the error says what to log", () => {
    expect(judgeLog(log, ["wind < 5 m/s"])[0]!.note).toBe(
      "wind needs windNed, which the log does not have; log the topic wind or wind_estimate",
    );
  });
});
