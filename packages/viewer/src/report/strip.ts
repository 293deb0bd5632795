/**
 * A strip that shows the whole flight: the mode as a coloured ribbon, and below it events as ticks, faults and gusts as
 * bars.
 *
 * A frame marks the time span of the plots, and a line marks the cursor.
 */
import { eventTextAndNote } from "@escapement/core";
import type { Band } from "./bands.ts";
import type { FlightHead } from "./data.ts";
import { colourOf, letterOf } from "../shared/colours.ts";
import { element } from "../shared/elements.ts";
import type { Span } from "./linked-plots.ts";
import { modeColour, modeName } from "../shared/modes.ts";
import type { Table } from "./table.ts";
import type { RequirementMark } from "./verdicts.ts";

/** Approximate widths in pixels: a letter of a label, and the strip on a small and on a large screen. */
const LETTER_PX = 6.5;
const NARROW_PX = 300;
const WIDE_PX = 1232;
/** Part of the window's width that the strip does not use. */
const MARGINS_PX = 48;

interface ModeSpan extends Span {
  readonly mode: number;
}

export class Strip {
  readonly node: HTMLElement;
  private readonly endS: number;
  private readonly frame = element("div", "frame");
  private readonly now = element("div", "now");
  private readonly window = element("div", "window");
  private readonly binding = element("div", "binding");

  constructor(heads: readonly FlightHead[], tables: readonly Table[]) {
    this.endS = Math.max(...tables.map(({ endS }) => endS), 1e-6);
    const lanes = element("div", "lanes");
    const modes = new Set<number>();
    tables.forEach((table, i) => {
      const spans = modeSpans(table);
      for (const { mode } of spans) modes.add(mode);
      lanes.append(
        this.ribbon(spans, heads.length > 1 ? i : undefined),
        this.ticks(heads[i]!, colourOf(i)),
        ...this.bars(heads[i]!),
      );
    });
    lanes.append(this.window, this.binding, this.frame, this.now);
    const shaded = new Set(heads.flatMap(({ bands }) => bands.map(({ kind }) => kind)));
    this.node = element("section", "strip", lanes, legend([...modes], [...shaded]));
    this.showSpan({ from: 0, to: this.endS });
    this.showTime(undefined);
    this.showRequirement(undefined);
  }

  /** Marks the window of a requirement and the instant that decides it. */
  showRequirement(mark: RequirementMark | undefined): void {
    this.window.hidden = mark === undefined;
    this.binding.hidden = mark?.atS === undefined;
    if (mark === undefined) return;
    this.place(this.window, ...mark.windowS);
    this.binding.className = mark.holds ? "binding" : "binding broken";
    this.binding.style.left = this.percent(mark.atS ?? 0);
  }

  showSpan({ from, to }: Span): void {
    this.place(this.frame, from, to);
    this.frame.hidden = from <= 0 && to >= this.endS;
  }

  showTime(t: number | undefined): void {
    this.now.hidden = t === undefined;
    if (t !== undefined) this.now.style.left = this.percent(t);
  }

  private ribbon(spans: readonly ModeSpan[], flight: number | undefined): HTMLElement {
    const ribbon = element("div", "ribbon");
    for (const { mode, from, to } of spans) {
      const part = element("span", "", modeName(mode));
      part.style.background = modeColour(mode);
      part.title = `${modeName(mode)}, ${from.toFixed(2)} s to ${to.toFixed(2)} s`;
      this.place(part, from, to);
      ribbon.append(part);
    }
    if (flight !== undefined) {
      const letter = element("b", "", letterOf(flight));
      letter.style.background = colourOf(flight);
      ribbon.append(letter);
    }
    return ribbon;
  }

  /** Builds a tick per event, and one at the time at which the flight forks from the first flight. */
  private ticks({ events, fromFirst }: FlightHead, colour: string): HTMLElement {
    const ticks = element("div", "ticks");
    for (const event of events) {
      const tick = element("i", event.severity === "warning" ? "trouble" : "");
      tick.style.left = this.percent(event.tUs / 1e6);
      tick.title = `${(event.tUs / 1e6).toFixed(2)} s  ${eventTextAndNote(event)}`;
      ticks.append(tick);
    }
    if (fromFirst?.forkS !== undefined) {
      const fork = element("i", "fork");
      fork.style.left = this.percent(fromFirst.forkS);
      fork.style.background = colour;
      fork.title = `${fromFirst.forkS} s  ${fromFirst.changes!.join("; ")}`;
      ticks.append(fork);
    }
    return ticks;
  }

  /** Builds a bar per fault and gust, in as many lanes as needed so that none overlap. */
  private bars({ bands }: FlightHead): HTMLElement[] {
    const widthPx = Math.max(NARROW_PX, Math.min(WIDE_PX, document.documentElement.clientWidth - MARGINS_PX));
    const lanes: { node: HTMLElement; until: number }[] = [];
    for (const band of bands) {
      if (band.kind === "saturation") continue;
      // A label may be longer than its bar, so reserve its width too.
      const labelS = this.labelS(band, widthPx);
      const [from, to] = this.isLabelRightAligned(band)
        ? [Math.min(band.from, band.to - labelS), band.to]
        : [band.from, Math.max(band.to, band.from + labelS)];
      let lane = lanes.find(({ until }) => until <= from);
      if (lane === undefined) {
        lane = { node: element("div", "bars"), until: 0 };
        lanes.push(lane);
      }
      lane.until = to;
      lane.node.append(this.bar(band));
    }
    return lanes.map(({ node }) => node);
  }

  /**
   * Returns true if the label is aligned to the right end of its bar, so that it does not extend past the end of the
   * strip: the band begins in the second half of the flight, and on a small screen its label is longer than its bar.
   */
  private isLabelRightAligned(band: Band): boolean {
    return band.from > this.endS / 2 && band.to - band.from < this.labelS(band, NARROW_PX);
  }

  /** Returns the seconds that a label covers on a strip of a given width. */
  private labelS({ label }: Band, widthPx: number): number {
    return (this.endS * LETTER_PX * (label.length + 2)) / widthPx;
  }

  private bar(band: Band): HTMLElement {
    const { kind, label, from, to } = band;
    const bar = element("span", this.isLabelRightAligned(band) ? `${kind} late` : kind, label);
    bar.title = `${label}, ${from.toFixed(2)} s to ${to.toFixed(2)} s`;
    this.place(bar, from, to);
    return bar;
  }

  private place(node: HTMLElement, from: number, to: number): void {
    node.style.left = this.percent(from);
    node.style.width = `${(100 * (Math.min(to, this.endS) - from)) / this.endS}%`;
  }

  private percent(t: number): string {
    return `${(100 * Math.max(0, Math.min(t, this.endS))) / this.endS}%`;
  }
}

function modeSpans(table: Table): ModeSpan[] {
  const spans: ModeSpan[] = [];
  let start = 0;
  for (let row = 1; row <= table.rows; row += 1) {
    const mode = table.at("mode", start);
    if (row < table.rows && table.at("mode", row) === mode) continue;
    spans.push({ mode, from: table.at("t", start), to: table.at("t", Math.min(row, table.rows - 1)) });
    start = row;
  }
  return spans;
}

const KIND_NAMES: Readonly<Record<Band["kind"], string>> = {
  fault: "fault",
  gust: "gust",
  saturation: "motors at their limit",
};

function legend(modes: readonly number[], kinds: readonly Band["kind"][]): HTMLElement {
  const entry = (name: string, paint: (swatch: HTMLElement) => void) => {
    const swatch = element("i", "");
    paint(swatch);
    return element("span", "", swatch, name);
  };
  return element(
    "p",
    "keys",
    ...modes.map((mode) => entry(modeName(mode), (swatch) => (swatch.style.background = modeColour(mode)))),
    ...kinds.map((kind) => entry(KIND_NAMES[kind], (swatch) => swatch.classList.add(kind))),
  );
}
