/** PX4's control flags per flight mode (which loops are closed), as PX4's commander would publish them. */
import { NAV_STATE } from "../modes.ts";

interface ControlFlags {
  readonly manual: boolean;
  readonly auto: boolean;
  readonly position: boolean;
  readonly velocity: boolean;
  readonly altitude: boolean;
  readonly climbRate: boolean;
  readonly attitude: boolean;
  readonly rates: boolean;
}

const NO_LOOPS: ControlFlags = {
  manual: false,
  auto: false,
  position: false,
  velocity: false,
  altitude: false,
  climbRate: false,
  attitude: false,
  rates: false,
};
const RATES = { ...NO_LOOPS, rates: true };
const ATTITUDE = { ...RATES, attitude: true };
const ALTITUDE = { ...ATTITUDE, altitude: true, climbRate: true };
const POSITION = { ...ALTITUDE, position: true, velocity: true };
const AUTO = { ...POSITION, auto: true };

const TABLE: Readonly<Record<number, ControlFlags>> = {
  [NAV_STATE.manual]: { ...ATTITUDE, manual: true },
  [NAV_STATE.altitude]: { ...ALTITUDE, manual: true },
  [NAV_STATE.position]: { ...POSITION, manual: true },
  [NAV_STATE.mission]: AUTO,
  [NAV_STATE.hold]: AUTO,
  [NAV_STATE.return]: AUTO,
  [NAV_STATE["take-off"]]: AUTO,
  [NAV_STATE.land]: AUTO,
  [NAV_STATE.descend]: { ...ATTITUDE, auto: true, climbRate: true },
  [NAV_STATE.acro]: { ...RATES, manual: true },
  [NAV_STATE.stabilized]: { ...ATTITUDE, manual: true },
  [NAV_STATE.offboard]: POSITION,
  [NAV_STATE.termination]: NO_LOOPS,
};

export function controlFlags(navState: number): ControlFlags {
  return TABLE[navState] ?? NO_LOOPS;
}
