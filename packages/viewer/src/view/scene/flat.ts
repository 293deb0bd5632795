/** Draws flights without WebGL: the paths from above with north up, and the vehicles as arrows. */
import { flightColour, ink } from "../../shared/colours.ts";
import { shiftUsOf } from "../flights/alignment.ts";
import { makeDrawing } from "../hud/canvas.ts";
import { instantValuesAt } from "../hud/instant.ts";
import type { ViewState } from "../store/state.ts";
import type { ViewFlight } from "../store/view-flight.ts";

const MAX_POINTS = 2000;
/** Shortest time between two drawings of the paths while rows arrive, because drawing them takes long. */
const REDRAW_INTERVAL_MS = 300;
const NARROW_PX = 500;
/**
 * In a narrow scene, the clock and the legend cover this height at the top, and the readings and the tools cover this
 * height at the bottom. In a wide scene they are at the sides.
 */
const COVERED_PX = { above: 96, below: 175 };
const MIN_FREE_PX = 60;
const GRID_M = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

interface Frame {
  readonly x: (east: number) => number;
  readonly y: (north: number) => number;
  readonly perMetre: number;
}

export class FlatScene {
  private readonly canvas = makeDrawing("flat");
  readonly node = this.canvas.node;
  private readonly state: ViewState;
  private readonly isDark: () => boolean;
  /**
   * The grid and the paths, which change only with the rows. When the playhead moves, they are copied, and only the
   * vehicles are drawn.
   */
  private readonly paths = document.createElement("canvas");
  private drawnPaths = "";
  private drawnMs = 0;
  private frame: Frame | undefined;

  constructor(state: ViewState, isDark: () => boolean) {
    this.state = state;
    this.isDark = isDark;
  }

  paint(): void {
    this.canvas.draw((context, width, height) => {
      this.drawPaths(context, width, height);
      context.drawImage(this.paths, 0, 0, width, height);
      this.drawPreview(context, this.frame!);
      for (const flight of this.state.shown.peek()) this.drawVehicle(context, flight, this.frame!);
    });
  }

  private drawPaths({ canvas }: CanvasRenderingContext2D, width: number, height: number): void {
    const { shown, activeId } = this.state;
    const flights = shown.peek();
    const rows = flights.map(({ id, rows }) => `${id}:${rows.peek().count}:${rows.peek().version}`);
    const key = [canvas.width, canvas.height, this.isDark(), activeId.peek(), ...rows].join();
    const nowMs = performance.now();
    const isGrowing =
      flights.some(({ state }) => state.peek() === "flying") && nowMs < this.drawnMs + REDRAW_INTERVAL_MS;
    if (key === this.drawnPaths || (isGrowing && this.frame !== undefined)) return;
    this.drawnPaths = key;
    this.drawnMs = nowMs;
    this.frame = this.fit(width, height);
    [this.paths.width, this.paths.height] = [canvas.width, canvas.height];
    const context = this.paths.getContext("2d")!;
    context.scale(canvas.width / width, canvas.height / height);
    drawGrid(context, this.frame, width, height);
    for (const flight of flights) this.drawPath(context, flight, this.frame);
  }

  /** Returns a scale that fits all paths, with a margin. */
  private fit(width: number, height: number): Frame {
    let [low, high] = [
      [Infinity, Infinity],
      [-Infinity, -Infinity],
    ];
    for (const flight of this.state.shown.peek()) {
      for (const [north, east] of points(flight)) {
        low = [Math.min(low[0]!, north), Math.min(low[1]!, east)];
        high = [Math.max(high[0]!, north), Math.max(high[1]!, east)];
      }
    }
    const isEmpty = low[0]! > high[0]!;
    const centre = isEmpty ? [0, 0] : [(low[0]! + high[0]!) / 2, (low[1]! + high[1]!) / 2];
    const size = isEmpty ? 10 : Math.max(4, high[0]! - low[0]!, high[1]! - low[1]!);
    const freePx = height - COVERED_PX.above - COVERED_PX.below;
    const isNarrow = width < NARROW_PX && freePx > MIN_FREE_PX;
    const perMetre = (isNarrow ? Math.min(0.6 * width, freePx) : 0.6 * Math.min(width, height)) / size;
    const middlePx = isNarrow ? COVERED_PX.above + freePx / 2 : height / 2;
    return {
      perMetre,
      x: (east) => width / 2 + (east - centre[1]!) * perMetre,
      y: (north) => middlePx - (north - centre[0]!) * perMetre,
    };
  }

  private drawPath(context: CanvasRenderingContext2D, flight: ViewFlight, { x, y }: Frame): void {
    this.setStyle(context, flight);
    context.beginPath();
    for (const [north, east] of points(flight)) context.lineTo(x(east), y(north));
    context.stroke();
  }

  private drawPreview(context: CanvasRenderingContext2D, { x, y }: Frame): void {
    const preview = this.state.preview.peek();
    if (preview === undefined) return;
    const { timesUs, values } = preview;
    context.strokeStyle = flightColour(this.state.freeSlot, this.isDark());
    context.lineWidth = 2;
    context.beginPath();
    // North and east are the first two columns of a preview.
    timesUs.forEach((_, row) => context.lineTo(x(values[timesUs.length + row]!), y(values[row]!)));
    context.stroke();
  }

  private drawVehicle(context: CanvasRenderingContext2D, flight: ViewFlight, { x, y }: Frame): void {
    const nowUs = this.state.peekUs.peek() ?? this.state.nowUs.peek();
    const values = instantValuesAt(flight, nowUs + shiftUsOf(flight, this.state));
    if (values === undefined) return;
    context.save();
    this.setStyle(context, flight);
    context.translate(x(values.posNed[1]!), y(values.posNed[0]!));
    context.rotate((values.yawDeg * Math.PI) / 180);
    context.fillStyle = context.strokeStyle;
    context.beginPath();
    context.moveTo(0, -10);
    context.lineTo(-6, 7);
    context.lineTo(6, 7);
    context.fill();
    context.restore();
  }

  private setStyle(context: CanvasRenderingContext2D, { id, slot }: ViewFlight): void {
    const isActive = id === this.state.activeId.peek();
    context.strokeStyle = flightColour(slot, this.isDark());
    context.globalAlpha = isActive ? 1 : 0.5;
    context.lineWidth = isActive ? 2 : 1.2;
  }
}

function* points(flight: ViewFlight): Generator<readonly [north: number, east: number]> {
  const rows = flight.rows.peek();
  const [north, east] = [rows.place("posNed", 0), rows.place("posNed", 1)];
  const step = Math.max(1, Math.ceil(rows.count / MAX_POINTS));
  for (let row = 0; north >= 0 && row < rows.count; row += step) yield [rows.value(north, row), rows.value(east, row)];
}

function drawGrid(context: CanvasRenderingContext2D, { x, y, perMetre }: Frame, width: number, height: number): void {
  const step = GRID_M.find((each) => each * perMetre >= 40) ?? 1000;
  const reach = Math.ceil(Math.max(width, height) / perMetre / step) + 1;
  context.strokeStyle = ink("line");
  context.lineWidth = 1;
  context.beginPath();
  for (let i = -reach; i <= reach; i += 1) {
    context.moveTo(x(i * step), 0);
    context.lineTo(x(i * step), height);
    context.moveTo(0, y(i * step));
    context.lineTo(width, y(i * step));
  }
  context.stroke();
  context.fillStyle = ink("quiet");
  context.font = "12px system-ui, sans-serif";
  context.textAlign = "right";
  // In a wide scene the scale is above the motors. In a narrow one it is below the legend, because the motors move up
  // when the sticks are shown.
  context.fillText(
    `${step} m per square, north up`,
    width - (width < NARROW_PX ? 15 : 21),
    width < NARROW_PX ? 84 : height - 150,
  );
}
