/** The progress line of a flight, redrawn at most ten times per second and only on a terminal. */
import { type Flight, valueName } from "@escapement/core";
import { styleFor, width } from "./style.ts";
import { speedText } from "./summary.ts";

const REDRAW_MS = 100;
const EIGHTHS = " ▏▎▍▌▋▊▉█";
const SHOW_CURSOR = "\u001b[?25h";
const HIDE_CURSOR = "\u001b[?25l";

export interface FlightProgress {
  readonly nowUs: number;
  readonly endUs: number;
  /** Returns further texts, the most important first; empty texts are left out. */
  texts(): readonly string[];
}

/** One line that is redrawn in place. */
export class StatusLine {
  private readonly stream: NodeJS.WriteStream;
  private readonly env: NodeJS.ProcessEnv;
  private readonly hidesCursor: boolean;
  private drawnMs = 0;
  private isDrawn = false;

  /** Set `hidesCursor` only if `clear` is called even after an interrupt. */
  constructor(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv, hidesCursor: boolean) {
    this.stream = stream;
    this.env = env;
    this.hidesCursor = hidesCursor;
  }

  show(line: () => string): void {
    const nowMs = Date.now();
    if (!this.stream.isTTY || this.env["TERM"] === "dumb" || nowMs - this.drawnMs < REDRAW_MS) return;
    this.drawnMs = nowMs;
    this.stream.write(`${this.isDrawn || !this.hidesCursor ? "" : HIDE_CURSOR}\r\u001b[2K${line()}`);
    this.isDrawn = true;
  }

  clear(): void {
    if (this.isDrawn) this.stream.write(`\r\u001b[2K${this.hidesCursor ? SHOW_CURSOR : ""}`);
    this.isDrawn = false;
  }
}

export class Progress {
  private readonly flight: FlightProgress;
  private readonly name: string;
  private readonly stream: NodeJS.WriteStream;
  private readonly env: NodeJS.ProcessEnv;
  private readonly startedMs = Date.now();
  private readonly status: StatusLine;

  constructor(flight: FlightProgress, name: string, stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv) {
    this.flight = flight;
    this.name = name;
    this.stream = stream;
    this.env = env;
    this.status = new StatusLine(stream, env, true);
  }

  show(): void {
    this.status.show(() => this.line((Date.now() - this.startedMs) / 1e3));
  }

  clear(): void {
    this.status.clear();
  }

  /** Returns the line, with as many texts as fit; the bar takes the remaining width. */
  private line(wallS: number): string {
    const { nowUs, endUs } = this.flight;
    const style = styleFor(this.stream, this.env);
    const texts = this.texts(wallS);
    // A terminal echoes Ctrl-C as two characters, which must not break the line.
    const columns = (this.stream.columns ?? 80) - 3;
    const head = `  ${this.name} `;
    while (texts.length > 1 && width(head) + width(texts.join("   ")) + 13 > columns) texts.pop();
    const cells = Math.min(32, columns - width(head) - width(texts.join("   ")) - 3);
    const fraction = endUs > 0 ? Math.min(1, nowUs / endUs) : 1;
    return cells < 4 ? texts[0]! : `${head}▕${style.accent(bar(fraction, cells))}▏ ${texts.join("   ")}`;
  }

  private texts(wallS: number): string[] {
    const { nowUs, endUs } = this.flight;
    const seconds = nowUs / 1e6;
    return [
      `${seconds.toFixed(1)} / ${(endUs / 1e6).toFixed(0)} s`,
      `${speedText(seconds / Math.max(wallS, 1e-3))} real time`,
      ...this.flight.texts(),
    ].filter((text) => text !== "");
  }
}

/** Returns the progress of a flight in this process, with mode, altitude and battery. */
export function progressOf({ schedule, bus, x, parts }: Flight): FlightProgress {
  const position = parts.plant.layout.find("posNed");
  const first = (name: Parameters<typeof bus.signal>[0]) => bus.signal(name)[0] ?? 0;
  return {
    get nowUs() {
      return schedule.nowUs;
    },
    get endUs() {
      return schedule.endUs;
    },
    texts: () => {
      const mode = valueName("navState", first("navState"));
      const count = first("missionCount");
      const item = mode === "mission" && count > 0 ? ` ${Math.min(first("missionIndex") + 1, count)}/${count}` : "";
      const hasBattery = bus.signal("batteryVoltage").length > 0;
      return [
        `${mode}${item}`,
        position === undefined ? "" : `${(-x[position.offset + 2]!).toFixed(1)} m`,
        hasBattery ? `${first("batteryVoltage").toFixed(1)} V` : "",
        hasBattery ? `${(100 * first("batteryRemaining")).toFixed(0)} %` : "",
      ];
    },
  };
}

export function bar(fraction: number, cells: number): string {
  const eighths = Math.round(fraction * cells * 8);
  const full = Math.floor(eighths / 8);
  const rest = full < cells ? EIGHTHS[eighths % 8]! : "";
  return ("█".repeat(full) + rest).padEnd(cells, " ");
}
