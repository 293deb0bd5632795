/** The flight mode that each mode request of the scenario selects. */
import { SIGNALS, type SignalValue } from "../signals/table.ts";

const NAV_STATES = SIGNALS.navState.values;
const REQUESTS = SIGNALS.requestMode.values;

/** Returns the value of `navState` for a value of `requestMode`; undefined if no mode is requested. */
export function requestedNavState(request: SignalValue<"requestMode">): SignalValue<"navState"> | undefined {
  switch (request) {
    case REQUESTS.none:
      return undefined;
    case REQUESTS.mission:
      return NAV_STATES.mission;
    case REQUESTS.rtl:
      return NAV_STATES.return;
    case REQUESTS.hold:
    case REQUESTS.goto:
      return NAV_STATES.hold;
    case REQUESTS.land:
      return NAV_STATES.land;
    case REQUESTS.takeoff:
      return NAV_STATES["take-off"];
    case REQUESTS.position:
      return NAV_STATES.position;
    default:
      request satisfies never;
      return undefined;
  }
}
