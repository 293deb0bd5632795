/**
 * Reads and writes QGC `.plan` files (JSON), the mission files of QGroundControl.
 *
 * Simple items have seven parameters, with null for NaN. Survey and corridor items are replaced by the simple items
 * that they contain. Other complex items are rejected. A jump names a `doJumpId`, which becomes an index into the
 * flattened list. The planned home is not an item. Unknown keys are ignored, because every release of QGroundControl
 * adds keys.
 */
import {
  DO_JUMP,
  SimError,
  type Fence,
  type FenceCircle,
  type FencePolygon,
  type GeoPoint,
  type GeoPosition,
  type Mission,
  type MissionItem,
  type MissionPlace,
} from "@escapement/core";
import { fileErrors } from "../text/file-errors.ts";
import { Findings, type Reading } from "../text/findings.ts";
import { parseJson } from "../text/json.ts";
import { decodeText, Lines } from "../text/text.ts";
import { diagnose, unsupportedFrame, frameOf, mavFrameOf } from "./shared.ts";
import { JsonView } from "./json-view.ts";

/** MAVLink's numbers for a generic autopilot and for PX4. */
const KNOWN_FIRMWARES = [0, 12];
/** A key that only Escapement writes: true if the planned home was added only for the ground station. */
const HOME_ASSUMED = "homeAssumed";
const FLATTENED_COMPLEX_ITEMS = ["survey", "CorridorScan"];

/** An item with the data needed to resolve its jumps once all items are read. */
interface PlanItem extends MissionItem {
  readonly doJumpId: number | undefined;
  readonly view: JsonView;
}

/** Reads a mission in QGroundControl's plan format. */
export function readPlan(input: string | Uint8Array, file: string): Reading<Mission> {
  const findings = new Findings(file);
  try {
    const text = decodeText(input, file);
    const top = new JsonView(parseJson(text, file), new Lines(text), "", findings);
    return new PlanReader(top, findings).read();
  } catch (error) {
    if (!(error instanceof SimError)) throw error;
    findings.errors.push(error);
    return findings.reading(() => ({ items: [] }));
  }
}

class PlanReader {
  private readonly top: JsonView;
  private readonly findings: Findings;
  private readonly places = new Map<string, JsonView>();

  constructor(top: JsonView, findings: Findings) {
    this.top = top;
    this.findings = findings;
  }

  read(): Reading<Mission> {
    if (!this.isPlan()) return this.findings.reading(() => ({ items: [] }));
    const missionView = this.top.object("mission");
    const planItems = missionView === undefined ? [] : this.readItems(missionView);
    const home = missionView === undefined ? undefined : this.readHome(missionView);
    const fence = this.readFence();
    const rally = this.readRally();
    const mission: Mission = {
      items: this.resolveJumps(planItems),
      ...(home === undefined ? {} : { home }),
      ...(fence === undefined ? {} : { fence }),
      ...(rally === undefined ? {} : { rally }),
    };
    if (this.findings.errors.length === 0) diagnose(mission, this.findings, (place) => this.whereOf(place));
    return this.findings.reading(() => mission);
  }

  private isPlan(): boolean {
    const fileType = this.top.isObject() ? this.top.get("fileType")?.value : undefined;
    if (fileType !== "Plan") {
      this.findings.error(
        fileErrors.wrongHeader,
        'the file is not a plan: "fileType" is not "Plan"',
        "save it as a .plan file",
        { line: 1 },
      );
      return false;
    }
    this.checkVersion(this.top, 1);
    return true;
  }

  private checkVersion(view: JsonView, expected: number): void {
    const version = view.get("version");
    if (version?.value === expected) return;
    const found = version === undefined ? "is missing" : `is ${JSON.stringify(version.value)}`;
    const fix = `save it with a current QGroundControl, as version ${expected}`;
    this.findings.error(fileErrors.wrongVersion, `"version" ${found}`, fix, (version ?? view).where());
  }

  private readItems(mission: JsonView): PlanItem[] {
    this.checkVersion(mission, 2);
    const firmware = mission.get("firmwareType");
    if (firmware !== undefined && !KNOWN_FIRMWARES.includes(firmware.value as number)) {
      const what = `the plan was made for firmware ${JSON.stringify(firmware.value)}`;
      this.findings.warn(fileErrors.ignored, what, "it is flown as a PX4 mission (12)", firmware.where());
    }
    const items: PlanItem[] = [];
    for (const view of mission.list("items") ?? []) this.readAnyItem(view, items);
    items.forEach((item, index) => this.places.set(`items ${index}`, item.view));
    this.places.set("items", mission);
    return items;
  }

  private readAnyItem(view: JsonView, items: PlanItem[]): void {
    if (!view.requireObject()) return;
    const type = view.text("type");
    if (type === "SimpleItem") {
      const item = this.readSimpleItem(view);
      if (item !== undefined) items.push(item);
    } else if (type === "ComplexItem") {
      this.readComplexItem(view, items);
    } else if (type !== undefined) {
      this.findings.error(
        fileErrors.unsupported,
        `the item type "${type}" is unknown`,
        "use SimpleItem or ComplexItem",
        view.where(),
      );
    }
  }

  private readComplexItem(view: JsonView, items: PlanItem[]): void {
    const kind = view.text("complexItemType");
    if (kind === undefined) return;
    if (!FLATTENED_COMPLEX_ITEMS.includes(kind)) {
      const fix = "replace it by simple items; only survey and CorridorScan are supported";
      this.findings.error(fileErrors.unsupported, `the complex item "${kind}" is not supported`, fix, view.where());
      return;
    }
    const transects = view.object("TransectStyleComplexItem");
    for (const inner of transects?.list("Items") ?? []) this.readAnyItem(inner, items);
  }

  private readSimpleItem(view: JsonView): PlanItem | undefined {
    const command = view.number("command");
    const mavFrame = view.number("frame");
    const params = view.numbers("params", { size: 7, nullIsNan: true });
    const autoContinue = view.get("autoContinue")?.value ?? true;
    const doJumpId = view.get("doJumpId") === undefined ? undefined : view.number("doJumpId");
    if (typeof autoContinue !== "boolean") {
      this.findings.error(
        fileErrors.wrongType,
        '"autoContinue" is not a boolean',
        "write true or false",
        view.where("autoContinue"),
      );
    }
    const uncalculated = view.get("AltitudeMode")?.value === 3 && view.get("AMSLAltAboveTerrain")?.value === null;
    if (uncalculated) {
      const fix = "choose an altitude relative to launch or AMSL";
      this.findings.error(fileErrors.unsupported, "the altitude above terrain was not calculated", fix, view.where());
    }
    if (command === undefined || mavFrame === undefined || params === undefined) return undefined;
    const frame = frameOf(mavFrame);
    if (frame === undefined) {
      const { what, fix } = unsupportedFrame(mavFrame);
      this.findings.error(fileErrors.unsupported, what, fix, view.where("frame"));
      return undefined;
    }
    const [p1, p2, p3, p4, latDeg, lonDeg, altM] = params;
    const item = { command, frame, p1, p2, p3, p4, latDeg, lonDeg, altM };
    return { ...item, autoContinue: autoContinue === true, doJumpId, view };
  }

  /** Replaces doJumpIds by indices. The id of an item without one is its position, counted from 1. */
  private resolveJumps(items: readonly PlanItem[]): MissionItem[] {
    const indexOf = new Map<number, number>();
    items.forEach((item, index) => {
      const id = item.doJumpId ?? index + 1;
      if (indexOf.has(id)) {
        this.findings.error(
          fileErrors.duplicate,
          `doJumpId ${id} is given twice`,
          "give every item its own id",
          item.view.where("doJumpId"),
        );
      }
      indexOf.set(id, index);
    });
    return items.map(({ doJumpId: _id, view, ...item }) => {
      if (item.command !== DO_JUMP) return item;
      const target = indexOf.get(item.p1);
      if (target === undefined) {
        const fix = `use one of the ids of this plan: ${[...indexOf.keys()].slice(0, 20).join(", ")}`;
        this.findings.error(
          fileErrors.missingKey,
          `a jump to the unknown doJumpId ${item.p1}`,
          fix,
          view.where("params"),
        );
      }
      return { ...item, p1: target ?? 0 };
    });
  }

  private readHome(mission: JsonView): GeoPosition | undefined {
    const view = mission.get("plannedHomePosition");
    if (view === undefined || mission.get(HOME_ASSUMED)?.value === true) return undefined;
    this.places.set("home", view);
    return positionOf(mission.numbers("plannedHomePosition", { size: 3 }));
  }

  private readFence(): Fence | undefined {
    const view = this.top.get("geoFence") === undefined ? undefined : this.top.object("geoFence");
    if (view === undefined) return undefined;
    this.checkVersion(view, 2);
    const circles: FenceCircle[] = [];
    const polygons: FencePolygon[] = [];
    (view.list("circles") ?? []).forEach((entry, index) => {
      this.places.set(`circles ${index}`, entry);
      const circle = entry.requireObject() ? entry.object("circle") : undefined;
      const center = circle?.numbers("center", { size: 2 });
      const radiusM = circle?.number("radius");
      const inclusion = circle === undefined ? undefined : entry.flag("inclusion");
      if (center === undefined || radiusM === undefined || inclusion === undefined) return;
      circles.push({ center: pointOf(center), radiusM, inclusion });
    });
    (view.list("polygons") ?? []).forEach((entry, index) => {
      this.places.set(`polygons ${index}`, entry);
      const corners = entry.requireObject() ? entry.list("polygon") : undefined;
      const points = corners?.map((corner) => corner.ownNumbers({ size: 2 }));
      const inclusion = corners === undefined ? undefined : entry.flag("inclusion");
      if (points === undefined || inclusion === undefined || points.includes(undefined)) return;
      polygons.push({ points: points.map((point) => pointOf(point!)), inclusion });
    });
    return circles.length + polygons.length === 0 ? undefined : { circles, polygons };
  }

  private readRally(): GeoPosition[] | undefined {
    const view = this.top.get("rallyPoints") === undefined ? undefined : this.top.object("rallyPoints");
    if (view === undefined) return undefined;
    this.checkVersion(view, 2);
    const points: GeoPosition[] = [];
    (view.list("points") ?? []).forEach((entry, index) => {
      this.places.set(`rally ${index}`, entry);
      const point = positionOf(entry.ownNumbers({ size: 3 }));
      if (point !== undefined) points.push(point);
    });
    return points.length === 0 ? undefined : points;
  }

  private whereOf({ part, index }: MissionPlace): { line?: number; key?: string } {
    const view = this.places.get(`${part} ${index}`) ?? this.places.get(part) ?? this.top;
    return view.where();
  }
}

function pointOf([latDeg, lonDeg]: readonly number[]): GeoPoint {
  return { latDeg, lonDeg };
}

function positionOf(numbers: readonly number[] | undefined): GeoPosition | undefined {
  return numbers === undefined ? undefined : { ...pointOf(numbers), altM: numbers[2]! };
}

/** Writes a plan that reads back as the same mission, bit for bit. */
export function writePlan(mission: Mission): string {
  const plan = {
    fileType: "Plan",
    geoFence: {
      circles: (mission.fence?.circles ?? []).map(({ center, radiusM, inclusion }) => ({
        circle: { center: [center.latDeg, center.lonDeg], radius: radiusM },
        inclusion,
        version: 1,
      })),
      polygons: (mission.fence?.polygons ?? []).map(({ points, inclusion }) => ({
        inclusion,
        polygon: points.map(({ latDeg, lonDeg }) => [latDeg, lonDeg]),
        version: 1,
      })),
      version: 2,
    },
    groundStation: "Escapement",
    mission: {
      cruiseSpeed: 15,
      firmwareType: 12,
      hoverSpeed: 5,
      items: mission.items.map(planItem),
      ...homeMembers(mission),
      vehicleType: 2,
      version: 2,
    },
    rallyPoints: { points: (mission.rally ?? []).map(positionList), version: 2 },
    version: 1,
  };
  return `${stringify(plan)}\n`;
}

function planItem(item: MissionItem, index: number): object {
  const p1 = item.command === DO_JUMP ? item.p1 + 1 : item.p1;
  const altitudeMode = item.frame === "relative" ? 1 : 2;
  return {
    ...(item.frame === "mission" ? {} : { AMSLAltAboveTerrain: null, Altitude: item.altM, AltitudeMode: altitudeMode }),
    autoContinue: item.autoContinue,
    command: item.command,
    doJumpId: index + 1,
    frame: mavFrameOf(item.frame),
    params: [p1, item.p2, item.p3, item.p4, item.latDeg, item.lonDeg, item.altM],
    type: "SimpleItem",
  };
}

/** Returns the home position. If none is planned, it is the first position, because QGroundControl requires one. */
function homeMembers(mission: Mission): object {
  if (mission.home !== undefined) return { plannedHomePosition: positionList(mission.home) };
  const first = mission.items.find(
    ({ frame, latDeg, lonDeg }) => frame !== "mission" && Number.isFinite(latDeg + lonDeg),
  );
  const assumedHome = first === undefined ? [0, 0, 0] : [first.latDeg, first.lonDeg, 0];
  return { [HOME_ASSUMED]: true, plannedHomePosition: assumedHome };
}

function positionList({ latDeg, lonDeg, altM }: GeoPosition): number[] {
  return [latDeg, lonDeg, altM];
}

/** Formats JSON. Unlike `JSON.stringify`, keeps −0 and writes a list of numbers on one line. */
function stringify(value: unknown, indent = ""): string {
  if (typeof value === "number") return Number.isNaN(value) ? "null" : Object.is(value, -0) ? "-0" : String(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === "number")) return `[${value.map((item) => stringify(item)).join(", ")}]`;
    return `[\n${value.map((item) => `${inner}${stringify(item, inner)}`).join(",\n")}\n${indent}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([key, item]) => `${inner}${JSON.stringify(key)}: ${stringify(item, inner)}`,
    );
    return `{\n${members.join(",\n")}\n${indent}}`;
  }
  return JSON.stringify(value);
}
