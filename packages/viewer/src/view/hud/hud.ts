/**
 * The head-up display over the scene: time, mode and last event; horizon and numbers; the motors from above.
 *
 * It leaves the middle of the scene, where the vehicle is, free. A value that signals trouble is marked with ▲.
 */
import { eventText, type FlightEvent } from "@escapement/core";
import { computed, effect } from "@preact/signals-core";
import { ink } from "../../shared/colours.ts";
import { element } from "../../shared/elements.ts";
import { modeName } from "../../shared/modes.ts";
import { withMinus } from "../../shared/scales.ts";
import type { Frame } from "../frame.ts";
import type { ViewState } from "../store/state.ts";
import type { ViewFlight } from "../store/view-flight.ts";
import { Horizon } from "./horizon.ts";
import { type InstantValues, instantValuesAt } from "./instant.ts";
import { ModeChip } from "./mode-chip.ts";
import { Motors } from "./motors.ts";

interface Reading {
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly value: (values: InstantValues) => number;
  readonly digits: number;
  readonly extra?: (values: InstantValues) => string;
  readonly isTrouble?: (values: InstantValues) => boolean;
  /** Whether small screens show it too. */
  readonly isEssential?: boolean;
}

const READINGS: readonly Reading[] = [
  {
    name: "ALT",
    title: "altitude",
    unit: "m",
    value: ({ posNed }) => -posNed[2]!,
    digits: 2,
    isEssential: true,
    extra: ({ setPosNed }) => (Number.isNaN(setPosNed[2]!) ? "" : `set ${(-setPosNed[2]!).toFixed(1)}`),
  },
  {
    name: "GS",
    title: "ground speed",
    unit: "m/s",
    value: ({ velNed }) => Math.hypot(velNed[0]!, velNed[1]!),
    digits: 2,
    isEssential: true,
  },
  {
    name: "VS",
    title: "vertical speed",
    unit: "m/s",
    value: ({ velNed }) => -velNed[2]!,
    digits: 2,
    isEssential: true,
  },
  {
    name: "ERR",
    title: "distance from the setpoint",
    unit: "m",
    value: ({ errorM }) => errorM,
    digits: 2,
    isTrouble: ({ errorM }) => errorM > 3,
  },
  {
    name: "WIND",
    title: "wind",
    unit: "m/s",
    value: ({ windNed }) => Math.hypot(windNed[0]!, windNed[1]!, windNed[2]!),
    digits: 1,
    // Direction from which the wind blows.
    extra: ({ windNed }) => compass(Math.atan2(-windNed[1]!, -windNed[0]!)),
  },
  {
    name: "BATT",
    title: "battery",
    unit: "V",
    value: ({ voltageV }) => voltageV,
    digits: 2,
    extra: ({ remaining }) => (Number.isNaN(remaining) ? "" : `${Math.round(100 * remaining)} %`),
    isTrouble: ({ batteryWarning }) => batteryWarning > 0,
  },
];

interface Hud {
  readonly head: HTMLElement;
  readonly readings: HTMLElement;
  readonly motors: HTMLElement;
}

export function makeHud(state: ViewState, frame: Frame): Hud {
  const time = element("b", "", "0.000");
  const mode = new ModeChip();
  const lastEvent = element("p", "last-event");
  const horizon = new Horizon();
  const motors = new Motors();
  const rows = READINGS.map((reading) => new ReadingRow(reading));
  const numbers = element("dl", "numbers", ...rows.map(({ node }) => node));
  const head = element("div", "hud-head", element("p", "time", time, element("small", "", " s")), mode.node, lastEvent);
  const readings = element("div", "hud-readings", horizon.node, numbers);
  const paint = () => {
    const flight = state.active.peek();
    const tUs = state.peekUs.peek() ?? state.nowUs.peek();
    const values = flight === undefined ? undefined : instantValuesAt(flight, tUs);
    readings.hidden = values === undefined;
    motors.node.hidden = values === undefined;
    mode.node.hidden = values === undefined || Number.isNaN(values.mode);
    // Draw before texts change, because setting a font makes the browser compute the styles again.
    if (values !== undefined) {
      horizon.paint(values, ink("quiet"));
      motors.paint(flight!.head.peek()?.definition?.vehicle, values.motors);
    }
    time.textContent = (tUs / 1e6).toFixed(3);
    lastEvent.textContent = flight === undefined ? "" : lastEventText(flight, tUs);
    if (values === undefined) return;
    mode.show(values.mode);
    for (const row of rows) row.show(values);
  };
  const requestPaint = frame.part("hud", paint);
  /**
   * Changes only until the flight has been flown up to the playhead, because rows after the playhead do not affect the
   * HUD.
   */
  const flownToPlayhead = computed(() => {
    const { rowCount, flownUs } = state.active.value ?? {};
    return [Math.min(1, rowCount?.value ?? 0), Math.min(flownUs?.value ?? 0, state.nowUs.value)].join();
  });
  effect(() => {
    void [state.nowUs.value, state.peekUs.value, state.isDark.value, state.isHudShown.value];
    void [state.active.value?.events.value, state.active.value?.head.value, flownToPlayhead.value];
    requestPaint();
  });
  new ResizeObserver(requestPaint).observe(head);
  return { head, readings, motors: motors.node };
}

class ReadingRow {
  readonly node: HTMLElement;
  private readonly reading: Reading;
  private readonly number = element("b", "");
  private readonly extra = element("small", "");

  constructor(reading: Reading) {
    this.reading = reading;
    const name = element("dt", "", reading.name);
    name.title = reading.title;
    this.node = element(
      "div",
      reading.isEssential === true ? "reading essential" : "reading",
      name,
      element("dd", "", this.number, element("span", "unit", reading.unit), this.extra),
    );
  }

  show(values: InstantValues): void {
    const { value, digits, extra, isTrouble } = this.reading;
    const number = value(values);
    this.node.hidden = Number.isNaN(number);
    const hasTrouble = isTrouble?.(values) === true;
    this.number.textContent = withMinus(number.toFixed(digits));
    this.node.classList.toggle("trouble", hasTrouble);
    this.extra.textContent = extra?.(values) ?? "";
  }
}

/** Formats the last event at or before a time, with its own time. */
function lastEventText(flight: ViewFlight, tUs: number): string {
  let last: FlightEvent | undefined;
  for (const event of flight.events.peek()) if (event.tUs <= tUs) last = event;
  return last === undefined ? "" : `${(last.tUs / 1e6).toFixed(2)} s  ${eventText(last)}`;
}

function compass(rad: number): string {
  return `${String(((Math.round((rad * 180) / Math.PI) % 360) + 360) % 360).padStart(3, "0")}°`;
}

/** Describes the instant at the playhead in words, for people who do not see the scene. */
export function describeInstant(state: ViewState): string {
  const flight = state.active.peek();
  const tUs = state.nowUs.peek();
  const values = flight === undefined ? undefined : instantValuesAt(flight, tUs);
  if (flight === undefined || values === undefined) return "No flight is shown.";
  const { posNed, velNed, rollDeg, pitchDeg, yawDeg, windNed, motors } = values;
  const dead = motors.flatMap(({ isDead }, i) => (isDead ? [i + 1] : []));
  return [
    `${flight.name.peek()} at ${(tUs / 1e6).toFixed(2)} seconds, mode ${modeName(values.mode)}:`,
    `${(-posNed[2]!).toFixed(1)} metres high, ${posNed[0]!.toFixed(1)} metres north and ${posNed[1]!.toFixed(1)} metres east of home,`,
    `${Math.hypot(velNed[0]!, velNed[1]!).toFixed(1)} metres per second over ground,`,
    `heading ${compass((yawDeg * Math.PI) / 180)}, roll ${rollDeg.toFixed(0)}°, pitch ${pitchDeg.toFixed(0)}°,`,
    `wind ${Math.hypot(windNed[0]!, windNed[1]!, windNed[2]!).toFixed(1)} metres per second.`,
    ...(dead.length === 0 ? [] : [`Motor ${dead.join(" and ")} is dead.`]),
    lastEventText(flight, tUs) === "" ? "" : `Last event: ${lastEventText(flight, tUs)}.`,
  ].join(" ");
}
