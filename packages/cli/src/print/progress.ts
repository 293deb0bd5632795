/** The one line that shows how a flight goes, redrawn at most ten times a second and only on a terminal. */
import type { Flight, Flown } from "@escapement/core";
import { styleFor, width } from "./style.ts";

const REDRAW_MS = 100;
const BAR_CELLS = 24;
const EIGHTHS = " ▏▎▍▌▋▊▉█";
const MODES: Readonly<Record<number, string>> = { 3: "mission", 4: "hold", 5: "return", 17: "take-off", 18: "land" };

export class Progress {
  private readonly flight: Flight;
  private readonly flown: Flown;
  private readonly stream: NodeJS.WriteStream;
  private readonly env: NodeJS.ProcessEnv;
  private readonly startedMs = Date.now();
  private drawnMs = 0;
  private isDrawn = false;

  constructor(flight: Flight, flown: Flown, stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv) {
    this.flight = flight;
    this.flown = flown;
    this.stream = stream;
    this.env = env;
  }

  show(): void {
    const nowMs = Date.now();
    if (!this.stream.isTTY || nowMs - this.drawnMs < REDRAW_MS) return;
    this.drawnMs = nowMs;
    const line = this.line((nowMs - this.startedMs) / 1e3);
    const columns = this.stream.columns ?? 80;
    this.stream.write(`\r\u001b[2K${width(line) > columns ? [...line].slice(0, columns - 1).join("") : line}`);
    this.isDrawn = true;
  }

  clear(): void {
    if (this.isDrawn) this.stream.write("\r\u001b[2K");
  }

  private line(wallS: number): string {
    const { schedule, bus, x } = this.flight;
    const seconds = schedule.nowUs / 1e6;
    const share = schedule.endUs > 0 ? Math.min(1, schedule.nowUs / schedule.endUs) : 1;
    const style = styleFor(this.stream, this.env);
    const altitude = this.flight.parts.plant.layout.find("posNed");
    const parts = [
      `${seconds.toFixed(1)} / ${(schedule.endUs / 1e6).toFixed(0)} s`,
      `${Math.round(seconds / Math.max(wallS, 1e-3))}× real time`,
      MODES[bus.signal("navState")[0]!] ?? "",
      altitude === undefined ? "" : `${(-x[altitude.offset + 2]!).toFixed(1)} m`,
      `${(bus.signal("batteryVoltage")[0] ?? 0).toFixed(1)} V`,
    ];
    return `  ${this.flown.name} ▕${style.accent(bar(share))}▏ ${parts.filter((part) => part !== "").join("   ")}`;
  }
}

function bar(share: number): string {
  const eighths = Math.round(share * BAR_CELLS * 8);
  const full = Math.floor(eighths / 8);
  const rest = full < BAR_CELLS ? EIGHTHS[eighths % 8]! : "";
  return ("█".repeat(full) + rest).padEnd(BAR_CELLS, " ");
}
