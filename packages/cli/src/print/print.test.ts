/**
 * Printed output: summaries of at most 24 lines at any width, errors with their source line, and a progress bar that
 * fits.
 */
import { beforeAll, describe, expect, it } from "vitest";
import {
  assemble,
  flyFlightNow,
  coreRegistry,
  type FlightResult,
  mustResolve,
  resolveFlight,
  SimError,
} from "@escapement/core";
import { storeExcerpt } from "@escapement/formats";
import type { WrittenFile } from "../outputs/flight-outputs.ts";
import { noteOf } from "../px4.ts";
import { errorJson, isUsageError, renderError } from "./error.ts";
import { homeScreen } from "./home.ts";
import { bar, progressOf, Progress } from "./progress.ts";
import { colourful, colourless, columnsOf, renderTable, styleFor, width, wrap } from "./style.ts";
import { renderSummary, type SummaryContext } from "./summary.ts";
import { summaryJson } from "./summary-json.ts";

const context: SummaryContext = { version: "0.1.0", wallS: 0.5, terminalColumns: 80, isShort: true, wrote: [] };
const file = (path: string, kind: WrittenFile["kind"] = "log"): WrittenFile => ({ path, kind, bytes: 12_345_678 });
const files = [
  ...["a.csv", "b.ulg", "c.h5", "d.parquet", "log.mcap"].map((path) => file(path)),
  file("a-rather-long-name-of-a-recording.mcap", "recording"),
  file("f.svg", "picture"),
];

const fly = (spec: object): FlightResult =>
  flyFlightNow(mustResolve(resolveFlight({ file: "test", spec: { ...spec } }, coreRegistry)));

describe("the summary", () => {
  let short: FlightResult;
  let eventful: FlightResult;
  beforeAll(() => {
    short = fly({ extends: "drop", timeline: { endS: 1 } });
    const faults = Array.from({ length: 30 }, (_, i) => ({
      atS: 1 + i / 10,
      forS: 0.05,
      motorLoss: { motor: 1 + (i % 4), gain: 0.9 },
    }));
    eventful = fly({ extends: "mission", timeline: { endS: 8 }, scenario: faults });
  });

  it.each([40, 60, 80, 100, 120, 160])("has at most 24 lines and fits %d columns", (terminalColumns) => {
    for (const flight of [short, eventful]) {
      for (const wrote of [[], files]) {
        const lines = renderSummary(flight, { ...context, terminalColumns, wrote }, colourless).split("\n");
        expect(lines.length).toBeLessThanOrEqual(24);
        // On a narrow terminal, names that cannot be broken may be longer than a line.
        const mayBeLong = terminalColumns < 80 ? /^escapement|^mission|^drop|mcap|waypoint|motor/ : /^$/;
        for (const line of lines.filter((each) => !mayBeLong.test(each))) {
          expect(width(line), line).toBeLessThanOrEqual(terminalColumns);
        }
      }
    }
  });

  it("shows what happened, when, and how it ended", () => {
    const text = renderSummary(eventful, context, colourless);
    expect(text).toContain("escapement 0.1.0 · mission · iris · embedded autopilot · rk43 · seed 1");
    expect(text).toMatch(/ 1\.00 {2}motor 1 keeps 90 % of its duty/);
    expect(text).toMatch(/… {2}\d+ more/);
    const shown =
      eventful.events.length - [...text.matchAll(/… {2}(\d+) more/g)].reduce((sum, [, n]) => sum + Number(n), 0);
    expect(text.match(/^ +\d+\.\d\d {2}/gm)).toHaveLength(shown + 1);
    expect(text).toContain("time ran out — the timeline ended");
    expect(text).toContain(eventful.fingerprint);
    expect(text).toMatch(/battery \d+\.\d+ V lowest, \d+ W mean/);
  });

  it("shows the notes of the scenario's events, shortened only on a terminal", () => {
    const note = "The bearing of this motor was worn out before the flight.";
    const scenario = [{ at: "0.2 s", name: "bearing", note, motorOff: { motor: 1 } }];
    const flight = fly({ extends: "drop", timeline: { endS: 1 }, scenario });
    const text = "motor 1 off";
    expect(renderSummary(flight, { ...context, isShort: false }, colourless)).toContain(`${text} — ${note}`);
    const short80 = renderSummary(flight, { ...context, terminalColumns: 80 }, colourless);
    expect(short80).toMatch(new RegExp(`${text} — The bearing.*…`));
    expect(Math.max(...short80.split("\n").map(width))).toBeLessThanOrEqual(80);
    const { events } = JSON.parse(summaryJson(flight, context)) as { events: object[] };
    const cause = { index: 0, name: "bearing", note };
    expect(events).toContainEqual(expect.objectContaining({ kind: "motorOff", cause }));
  });

  it("shows the number of events from each description, if there are several", () => {
    expect(renderSummary(eventful, context, colourless)).not.toContain("scenario events");
    const both = fly({
      extends: "motor-out",
      timeline: { endS: 0.1 },
      scenario: [{ atS: 0.05, motorOff: { motor: 1 } }],
    });
    expect(renderSummary(both, context, colourless)).toContain("scenario events: 1 from motor-out, 1 from test");
  });

  it("leaves nothing out if the output is not a terminal", () => {
    const text = renderSummary(eventful, { ...context, isShort: false, wrote: files }, colourless);
    expect(text).not.toContain("…");
    expect(text.match(/^ +\d+\.\d\d {2}/gm)).toHaveLength(eventful.events.length + 1);
    for (const { path } of files) expect(text).toContain(`${path} (`);
  });

  it("has the same JSON for two runs, apart from the timing", () => {
    const json = (wallS: number) => JSON.parse(summaryJson(short, { ...context, wallS })) as Record<string, unknown>;
    const [one, other] = [json(0.5), json(0.7)];
    expect([one["timing"], other["timing"]]).toEqual([{ wallS: 0.5 }, { wallS: 0.7 }]);
    expect({ ...one, timing: 0 }).toEqual({ ...other, timing: 0 });
  });

  it("omits quantities that were not measured", () => {
    const text = renderSummary(short, context, colourless);
    expect(text).not.toMatch(/wind|position error/);
  });

  it("names the files, and how to open a recording", () => {
    const text = renderSummary(short, { ...context, wrote: files }, colourless);
    expect(text).toContain("a.csv (12.3 MB)");
    expect(text).toContain("escapement report a-rather-long-name-of-a-recording.mcap");
  });

  it("reports an interruption", () => {
    expect(renderSummary(short, { ...context, interrupted: true }, colourless)).toContain(
      "interrupted — ended by Ctrl-C",
    );
    expect(JSON.parse(summaryJson(short, { ...context, interrupted: true })).outcome).toBe("interrupted");
  });

  it("uses few colours, and none if colour is off", () => {
    // oxlint-disable-next-line no-control-regex -- the test looks for escape codes
    const codes = new Set(renderSummary(eventful, context, colourful).match(/\u001b\[\d+m/g));
    expect([...codes].sort()).toEqual([
      "\u001b[1m",
      "\u001b[22m",
      "\u001b[2m",
      "\u001b[31m",
      "\u001b[36m",
      "\u001b[39m",
    ]);
    expect(renderSummary(eventful, context, colourless)).not.toContain("\u001b");
  });

  it("reports the link statistics of stock PX4, and that it was never ready", () => {
    const counts = {
      frames: 10,
      freewheelFrames: 10,
      missed: 1,
      quiet: 0,
      late: 0,
      doubled: 0,
      strange: 0,
      intruders: 0,
    };
    const px4 = {
      ...counts,
      roundTripMeanMs: 0.1,
      roundTripMaxMs: 2,
      instance: 3,
      readyAtS: -1,
      refusedFrames: 0,
      parameters: [],
    };
    expect(JSON.parse(summaryJson(short, { ...context, px4 }))).toMatchObject({
      px4: { instance: 3, frames: 10, missed: 1, readyAtS: null },
    });
    expect(noteOf(px4)).toContain("instance 3: never ready, 10 frames, 1 missed");
    expect(noteOf({ ...px4, readyAtS: 5.04 })).toContain("ready at 5.0 s");
  });

  it("contains everything in JSON that the printed summary contains", () => {
    const json = JSON.parse(summaryJson(eventful, { ...context, wrote: files })) as Record<string, unknown>;
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining([
        "outcome",
        "reason",
        "fingerprint",
        "events",
        "extremes",
        "endS",
        "timing",
        "flightHash",
        "integrator",
        "wrote",
      ]),
    );
    expect((json["events"] as unknown[]).length).toBe(eventful.events.length);
  });
});

describe("errors", () => {
  const diagnostic = new SimError("FLIGHT-013", {
    what: 'unknown kind "ouu" for wind',
    where: { file: "gusty.toml", key: "wind.kind", line: 9 },
    fix: 'did you mean "ou"? one of: none, ou',
  });
  storeExcerpt(diagnostic, { line: 9, text: 'kind = "ouu"', mark: { column: 8, length: 5 } });

  it("show the line, mark the place, and offer the nearest name beside it", () => {
    expect(renderError(diagnostic, colourless, { columns: 80 }).split("\n")).toEqual([
      'error FLIGHT-013  unknown kind "ouu" for wind',
      "  where  gusty.toml › wind.kind, line 9",
      '          9 │ kind = "ouu"',
      '            │        ^^^^^ did you mean "ou"?',
      "  fix    one of: none, ou",
      "  more   escapement explain FLIGHT-013",
    ]);
  });

  it("are printed together, with their number", () => {
    const other = new SimError("FLIGHT-005", {
      what: "-1 is out of range",
      where: { file: "gusty.toml", key: "seed" },
      fix: "at least 0",
    });
    const all = new SimError("FLIGHT-001", { what: "2 errors", fix: "fix both", cause: [diagnostic, other] });
    const text = renderError(all, colourless);
    expect(text).toContain("2 errors in gusty.toml; nothing was flown.");
    expect(text.match(/^error /gm)).toHaveLength(2);
    expect(JSON.parse(errorJson(all)).errors.map(({ code }: { code: string }) => code)).toEqual([
      "FLIGHT-013",
      "FLIGHT-005",
    ]);
  });

  it("are shortened on a terminal only", () => {
    const many = Array.from({ length: 20 }, (_, i) => new SimError("X-001", { what: `wrong ${i}`, fix: "" }));
    const all = new SimError("FLIGHT-001", { what: "20 errors", fix: "fix all", cause: many });
    const countOf = (isShort: boolean) =>
      renderError(all, colourless, { columns: 80, isShort }).match(/^error /gm)!.length;
    expect([countOf(true), countOf(false)]).toEqual([12, 20]);
    const long = new SimError("X-002", { what: "wrong", fix: "" });
    storeExcerpt(long, { line: 1, text: "x".repeat(200) });
    expect(renderError(long, colourless, { columns: 80, isShort: false })).toContain("x".repeat(200));
  });

  it("are usage errors if all of them were typed on the command line", () => {
    const typed = new SimError("FLIGHT-002", { what: "", where: { file: "command line", key: "sead" }, fix: "" });
    const inFile = new SimError("FLIGHT-002", { what: "", where: { file: "a.toml", key: "sead" }, fix: "" });
    const both = new SimError("FLIGHT-001", { what: "", fix: "", cause: [typed, inFile] });
    const badSet = new SimError("CLI-001", { what: "", fix: "" });
    const missing = new SimError("FILE-023", { what: "", where: { file: "command line", key: "flight" }, fix: "" });
    expect([typed, badSet, missing, inFile, both, new TypeError("x")].map(isUsageError)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it("fit the terminal", () => {
    const long = new SimError("X-001", {
      what: "many words ".repeat(20).trim(),
      fix: "other words ".repeat(20).trim(),
    });
    for (const columns of [60, 80, 120])
      for (const line of renderError(long, colourless, { columns }).split("\n"))
        expect(width(line)).toBeLessThanOrEqual(columns);
  });

  it("that are defects show their stack, and a request to report them", () => {
    const text = renderError(new TypeError("oops"), colourless);
    expect(text).toContain("defect in Escapement");
    expect(text).toContain("print.test.ts");
    expect(JSON.parse(errorJson(new TypeError("oops"))).errors[0].code).toBe("DEFECT");
  });
});

describe("style", () => {
  it("depends on the terminal and on NO_COLOR and FORCE_COLOR", () => {
    expect(styleFor({ isTTY: true }, {})).toBe(colourful);
    expect(styleFor({}, {})).toBe(colourless);
    expect(styleFor({ isTTY: true }, { NO_COLOR: "1" })).toBe(colourless);
    expect(styleFor({ isTTY: true }, { TERM: "dumb" })).toBe(colourless);
    expect(styleFor({}, { FORCE_COLOR: "1" })).toBe(colourful);
  });

  it("measures the visible width", () => {
    expect(width(colourful.trouble("×µ"))).toBe(2);
  });

  it("wraps at spaces", () => {
    expect(wrap("aaaa bbbb cccc dddd eeee", 30, "  ")).toBe("aaaa bbbb cccc dddd eeee");
    expect(wrap("aaaaaaaaaa bbbbbbbbbb cccccccccc", 26, "  ")).toBe("aaaaaaaaaa bbbbbbbbbb\n  cccccccccc");
    expect(wrap("aaaaaaaaaa bbbbbbbbbb", 26, "  ", 10)).toBe("aaaaaaaaaa\n  bbbbbbbbbb");
  });
});

describe("a table", () => {
  const columns = ["name", "first", "second", "third"].map((title) => ({ title }));
  const rows = [["a", "1", "2", "3"]];

  it("that is too wide is continued below, with its first column", () => {
    expect(renderTable(columns, rows, colourless, 20).split("\n")).toEqual([
      "name  first  second",
      "a     1      2",
      "",
      "name  third",
      "a     3",
    ]);
    expect(renderTable(columns, rows, colourless).split("\n")).toHaveLength(2);
  });
});

describe("the width", () => {
  it("is COLUMNS, or that of the terminal, or 80", () => {
    expect(columnsOf({ columns: 100 }, {})).toBe(100);
    expect(columnsOf({}, {})).toBe(80);
    expect(columnsOf({ columns: 100 }, { COLUMNS: "60" })).toBe(60);
    expect(columnsOf({}, { COLUMNS: "200" })).toBe(200);
    for (const COLUMNS of ["", "wide", "-3", "0"]) expect(columnsOf({}, { COLUMNS })).toBe(80);
  });
});

describe("progress", () => {
  const shown = (columns: number, env: NodeJS.ProcessEnv = {}, isTTY = true) => {
    const { definition } = mustResolve(
      resolveFlight({ file: "test", spec: { extends: "octa-motor-out" } }, coreRegistry),
    );
    const written: string[] = [];
    const stream = { isTTY, columns, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream;
    const progress = new Progress(progressOf(assemble(definition, coreRegistry).flight), definition.name, stream, env);
    progress.show();
    progress.show();
    progress.clear();
    return written;
  };

  it.each([40, 60, 80, 120, 200])(
    "is one line that fits %d columns, redrawn in place and gone at the end",
    (columns) => {
      const [line, gone, ...rest] = shown(columns);
      expect(rest).toEqual([]);
      // oxlint-disable-next-line no-control-regex -- the test looks for escape codes
      const seen = line!.replace(/\u001b\[\?25l|\r|\u001b\[2K/g, "");
      expect(width(seen)).toBeLessThanOrEqual(columns - 3);
      expect(seen).toContain("0.0 / 120 s");
      expect(gone).toBe("\r\u001b[2K\u001b[?25h");
    },
  );

  it("shows time and speed if nothing else is known", () => {
    const written: string[] = [];
    const stream = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
    const course = { nowUs: 30e6, endUs: 60e6, texts: () => [] };
    new Progress(course, "far away", stream as unknown as NodeJS.WriteStream, { NO_COLOR: "1" }).show();
    expect(written.join("")).toMatch(/far away ▕█+ +▏ 30\.0 \/ 60 s {3}.* real time$/);
  });

  it("prints nothing if the stream is not a terminal", () => {
    expect(shown(80, {}, false)).toEqual([]);
    expect(shown(80, { TERM: "dumb" })).toEqual([]);
  });
});

describe("the bar", () => {
  it("fills from left to right in eighths", () => {
    expect([0, 0.5, 1].map((share) => bar(share, 4))).toEqual(["    ", "██  ", "████"]);
    expect(bar(1 / 32, 4)).toBe("▏   ");
    for (let i = 0; i <= 100; i += 1) expect([...bar(i / 100, 7)]).toHaveLength(7);
  });
});

it("the first screen lists the most common commands, each with an example", () => {
  const text = homeScreen(colourless);
  for (const command of ["fly", "init", "check", "list", "report"]) expect(text).toContain(`escapement ${command}`);
  for (const line of text.split("\n")) expect(width(line)).toBeLessThanOrEqual(80);
});
