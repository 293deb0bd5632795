/**
 * Flight modes and their three numbers: the scenario's request, PX4's `nav_state`, and MAVLink's `custom_mode`.
 *
 * `custom_mode` is main << 16 | sub << 24. Modes that PX4 flies automatically share main mode 4 and differ in sub mode.
 */

import { SIGNALS } from "@escapement/core";

const REQUEST = SIGNALS.requestMode.values;
export const NAV_STATE = SIGNALS.navState.values;

interface ModeRow {
  readonly request?: number;
  readonly navState: number;
  readonly main: number;
  readonly sub: number;
}

const MODES: readonly ModeRow[] = [
  { navState: NAV_STATE.manual, main: 1, sub: 0 },
  { navState: NAV_STATE.altitude, main: 2, sub: 0 },
  { navState: NAV_STATE.position, main: 3, sub: 0 },
  { request: REQUEST.takeoff, navState: NAV_STATE["take-off"], main: 4, sub: 2 },
  { request: REQUEST.hold, navState: NAV_STATE.hold, main: 4, sub: 3 },
  { request: REQUEST.mission, navState: NAV_STATE.mission, main: 4, sub: 4 },
  { request: REQUEST.rtl, navState: NAV_STATE.return, main: 4, sub: 5 },
  { request: REQUEST.land, navState: NAV_STATE.land, main: 4, sub: 6 },
  { navState: NAV_STATE.acro, main: 5, sub: 0 },
  { navState: NAV_STATE.offboard, main: 6, sub: 0 },
  { navState: NAV_STATE.stabilized, main: 7, sub: 0 },
];

/** Returns the mode that a scenario requests; undefined for 0. */
export function modeOfRequest(request: number): ModeRow | undefined {
  return MODES.find((mode) => mode.request === request);
}

/** Returns PX4's `nav_state` for a heartbeat's `custom_mode`; undefined for an unknown mode. */
export function navStateOf(customMode: number): number | undefined {
  const main = (customMode >>> 16) & 0xff;
  const sub = (customMode >>> 24) & 0xff;
  return MODES.find((mode) => mode.main === main && mode.sub === sub)?.navState;
}
