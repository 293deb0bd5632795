/**
 * A mission as the autopilots of this simulator use it, independent of its file format.
 *
 * Readers of mission files produce it; the embedded navigator and the PX4 bridges fly it. Commands are MAVLink's
 * numbers; parameters p1 to p4 may be NaN, which means "not given" as in PX4. Jumps refer to items by index from 0.
 * The table of commands states which commands are flown, which are skipped, and which cannot be flown.
 */

/** `amsl`: altitude above mean sea level; `relative`: above home; `mission`: the item has no position. */
export type MissionFrame = "amsl" | "relative" | "mission";

export interface MissionItem {
  /** MAV_CMD number. */
  readonly command: number;
  readonly frame: MissionFrame;
  readonly p1: number;
  readonly p2: number;
  readonly p3: number;
  readonly p4: number;
  /** In frame `mission`, these are the fifth to seventh parameters. */
  readonly latDeg: number;
  readonly lonDeg: number;
  readonly altM: number;
  readonly autoContinue: boolean;
}

export interface GeoPoint {
  readonly latDeg: number;
  readonly lonDeg: number;
}

export interface GeoPosition extends GeoPoint {
  /** Above home for rally points; otherwise above mean sea level. */
  readonly altM: number;
}

/** If `inclusion` is true, the vehicle must stay inside the area; if false, outside. */
export interface FenceCircle {
  readonly center: GeoPoint;
  readonly radiusM: number;
  readonly inclusion: boolean;
}

export interface FencePolygon {
  readonly points: readonly GeoPoint[];
  readonly inclusion: boolean;
}

export interface Fence {
  readonly circles: readonly FenceCircle[];
  readonly polygons: readonly FencePolygon[];
}

export interface Mission {
  readonly items: readonly MissionItem[];
  readonly home?: GeoPosition;
  readonly fence?: Fence;
  readonly rally?: readonly GeoPosition[];
}

/** `fly`: the navigator acts on it; `skip`: ignored, with a warning; `refuse`: a multicopter cannot fly it. */
export type CommandDuty = "fly" | "skip" | "refuse";

export interface MissionCommand {
  readonly id: number;
  readonly name: string;
  readonly duty: CommandDuty;
  /** The vehicle flies to the item's position: latitude, longitude and altitude are required. */
  readonly position?: true;
  /** For a refused command: what to use instead. */
  readonly instead?: string;
}

export const NAV_WAYPOINT = 16;
export const NAV_LOITER_UNLIM = 17;
export const NAV_LOITER_TIME = 19;
export const NAV_RETURN_TO_LAUNCH = 20;
export const NAV_LAND = 21;
export const NAV_TAKEOFF = 22;
export const NAV_LOITER_TO_ALT = 31;
export const NAV_DELAY = 93;
export const DO_JUMP = 177;
export const DO_CHANGE_SPEED = 178;

/** The MAVLink commands that missions may contain, and how each is handled. */
// prettier-ignore
export const MISSION_COMMANDS: readonly MissionCommand[] = [
  { id: NAV_WAYPOINT, name: "NAV_WAYPOINT", duty: "fly", position: true },
  { id: NAV_LOITER_UNLIM, name: "NAV_LOITER_UNLIM", duty: "fly", position: true },
  { id: 18, name: "NAV_LOITER_TURNS", duty: "refuse", position: true, instead: "use 19 (loiter for a time): this command is for fixed-wing aircraft" },
  { id: NAV_LOITER_TIME, name: "NAV_LOITER_TIME", duty: "fly", position: true },
  { id: NAV_RETURN_TO_LAUNCH, name: "NAV_RETURN_TO_LAUNCH", duty: "fly" },
  { id: NAV_LAND, name: "NAV_LAND", duty: "fly", position: true },
  { id: NAV_TAKEOFF, name: "NAV_TAKEOFF", duty: "fly", position: true },
  { id: NAV_LOITER_TO_ALT, name: "NAV_LOITER_TO_ALT", duty: "fly", position: true },
  { id: 82, name: "NAV_SPLINE_WAYPOINT", duty: "refuse", position: true, instead: "use 16 (waypoint)" },
  { id: 84, name: "NAV_VTOL_TAKEOFF", duty: "refuse", position: true, instead: "use 22 (take-off)" },
  { id: 85, name: "NAV_VTOL_LAND", duty: "refuse", position: true, instead: "use 21 (land)" },
  { id: NAV_DELAY, name: "NAV_DELAY", duty: "fly" },
  { id: 112, name: "CONDITION_DELAY", duty: "refuse", instead: "use 93 (delay)" },
  { id: 114, name: "CONDITION_DISTANCE", duty: "refuse", instead: "leave it out: PX4 refuses it too" },
  { id: 115, name: "CONDITION_YAW", duty: "refuse", instead: "set the yaw as p4 of a waypoint" },
  { id: DO_JUMP, name: "DO_JUMP", duty: "fly" },
  { id: DO_CHANGE_SPEED, name: "DO_CHANGE_SPEED", duty: "fly" },
  { id: 189, name: "DO_LAND_START", duty: "skip" },
  { id: 195, name: "DO_SET_ROI_LOCATION", duty: "skip" },
  { id: 197, name: "DO_SET_ROI_NONE", duty: "skip" },
  { id: 205, name: "DO_MOUNT_CONTROL", duty: "skip" },
  { id: 206, name: "DO_SET_CAM_TRIGG_DIST", duty: "skip" },
  { id: 214, name: "DO_SET_CAM_TRIGG_INTERVAL", duty: "skip" },
  { id: 530, name: "SET_CAMERA_MODE", duty: "skip" },
  { id: 531, name: "SET_CAMERA_ZOOM", duty: "skip" },
  { id: 532, name: "SET_CAMERA_FOCUS", duty: "skip" },
  { id: 1000, name: "DO_GIMBAL_MANAGER_PITCHYAW", duty: "skip" },
  { id: 2000, name: "IMAGE_START_CAPTURE", duty: "skip" },
  { id: 2001, name: "IMAGE_STOP_CAPTURE", duty: "skip" },
  { id: 2003, name: "DO_TRIGGER_CONTROL", duty: "skip" },
  { id: 2500, name: "VIDEO_START_CAPTURE", duty: "skip" },
  { id: 2501, name: "VIDEO_STOP_CAPTURE", duty: "skip" },
  { id: 3000, name: "DO_VTOL_TRANSITION", duty: "refuse", instead: "leave it out: a multicopter has no transition" },
  { id: 4501, name: "CONDITION_GATE", duty: "refuse", position: true, instead: "use 16 (waypoint)" },
];

/** MAVLink reserves 176 to 252 for actions that take no time; those without their own row are skipped. */
const FIRST_DO = 176;
const LAST_DO = 252;

/** Returns the command with a number; undefined if it is unknown. */
export function missionCommand(id: number): MissionCommand | undefined {
  const known = MISSION_COMMANDS.find((command) => command.id === id);
  if (known !== undefined) return known;
  if (!Number.isInteger(id) || id < FIRST_DO || id > LAST_DO) return undefined;
  return { id, name: `DO command ${id}`, duty: "skip" };
}
