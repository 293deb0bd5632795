/** One flight in the scene: its vehicle, its trail and its marks on the ground. */
import { Group } from "three";
import { flightColour } from "../../shared/colours.ts";
import { type InstantValues, instantValuesAt } from "../hud/instant.ts";
import { pathColourAt } from "../data/path-colours.ts";
import type { PathColouring } from "../store/state.ts";
import type { ViewFlight } from "../store/view-flight.ts";
import { GroundMark, Target } from "./marks.ts";
import type { Palette } from "./palette.ts";
import { Trail } from "./trail.ts";
import { VehicleModel } from "./vehicle.ts";

/** How a flight is drawn: the active one solid, the others as ghosts. */
interface BodyStyle {
  readonly isActive: boolean;
  readonly isDark: boolean;
  readonly isThin: boolean;
  readonly hasBlob: boolean;
  readonly palette: Palette;
  readonly colouring: PathColouring;
}

/** The estimated position is drawn if its error is larger than this. */
const MIN_ESTIMATE_ERROR_M = 0.05;
const GRAVITY = 9.81;

export class FlightBody {
  readonly node = new Group();
  readonly flight: ViewFlight;
  private readonly trail = new Trail();
  private vehicle: VehicleModel | undefined;
  private ground: GroundMark | undefined;
  private setpoint: Target | undefined;
  private estimate: Target | undefined;
  private builtKey = "";
  private trailKey = "";

  constructor(flight: ViewFlight) {
    this.flight = flight;
    this.node.add(this.trail.node);
  }

  /** The position at which the vehicle was last drawn; undefined if it was not drawn. */
  posNed: ArrayLike<number> | undefined;

  get radiusM(): number {
    return this.vehicle?.radiusM ?? 0.4;
  }

  /** Shows the flight at a time, and returns its values at that instant. */
  show(tUs: number, style: BodyStyle): InstantValues | undefined {
    this.build(style);
    this.updateTrail(style);
    const values = instantValuesAt(this.flight, tUs);
    this.node.visible = values !== undefined;
    this.posNed = values?.posNed;
    if (values === undefined) return undefined;
    const { posNed, q, motors, contactForceNed } = values;
    this.vehicle!.show({ posNed, q, rotors: motors }, tUs / 1e6);
    this.ground!.show(posNed, contactForceNed, this.weightN);
    this.setpoint?.show(values.setPosNed, posNed);
    const off = Math.hypot(...values.estPosNed.map((each, i) => each - posNed[i]!));
    if (this.estimate !== undefined) {
      this.estimate.show(values.estPosNed, posNed);
      this.estimate.node.visible = off > MIN_ESTIMATE_ERROR_M;
    }
    this.trail.cutAt(values.place.row);
    return values;
  }

  dispose(): void {
    this.trail.dispose();
    this.clear();
  }

  private get weightN(): number {
    return (this.flight.head.peek()?.definition?.vehicle.massKg ?? 1.5) * GRAVITY;
  }

  private build({ isActive, isDark, palette, hasBlob }: BodyStyle): void {
    const head = this.flight.head.peek();
    const key = [isActive, isDark, hasBlob, head?.hash].join();
    if (this.builtKey === key) return;
    this.builtKey = key;
    this.clear();
    const colour = flightColour(this.flight.slot, isDark);
    this.vehicle = new VehicleModel(head?.definition?.vehicle, palette, isActive ? undefined : { colour });
    this.ground = new GroundMark(palette, this.vehicle.radiusM, isActive ? undefined : colour);
    this.ground.setBlob(hasBlob);
    this.node.add(this.vehicle.node, this.ground.node);
    if (!isActive) return;
    this.setpoint = new Target(palette.setpoint);
    this.estimate = new Target(palette.estimate);
    this.node.add(this.setpoint.node, this.estimate.node);
  }

  private updateTrail({ isActive, isDark, isThin, colouring }: BodyStyle): void {
    const rows = this.flight.rows.peek();
    // For a branch that is not active, draw only the path after its fork, because its parent's path shows the rest.
    const fromRow = isActive ? 0 : Math.max(0, rows.sharedCount - 1);
    const key = [rows.count, isActive, colouring, isDark].join();
    if (this.trailKey !== key) {
      this.trailKey = key;
      this.trail.setRows(rows, fromRow, pathColourAt(this.flight, colouring, isDark));
    }
    this.trail.setStyle({ colour: flightColour(this.flight.slot, isDark), isActive, isThin });
  }

  private clear(): void {
    for (const part of [this.vehicle, this.ground, this.setpoint, this.estimate]) {
      if (part === undefined) continue;
      this.node.remove(part.node);
      part.dispose();
    }
    this.setpoint = undefined;
    this.estimate = undefined;
  }
}
