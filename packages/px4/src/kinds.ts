/**
 * The two ways to fly PX4, as kinds of autopilot: `coreRegistry.with(px4Kinds)` lets a flight name them.
 *
 * The library answers within the call and is constructed like any other autopilot, but it can fly only once per
 * process. Stock PX4 needs ports and a separate process. `flySitl` opens and closes them and passes the running bridge
 * to the flight.
 */
import { defineKind, periodicAxis } from "@escapement/core";
import type { Kinds, Source } from "@escapement/core";
import type { AutopilotContext } from "./context.ts";
import { LockstepAutopilot } from "./lockstep/autopilot.ts";
import { lockstepParams } from "./lockstep/params.ts";
import { sitlErrors } from "./sitl/errors.ts";
import { sitlParams } from "./sitl/params.ts";

/** Kind name of the PX4 library. */
export const LOCKSTEP_KIND = "px4-lockstep";
/** Kind name of a stock PX4 process. */
export const SITL_KIND = "px4-sitl";

const lockstep = defineKind({
  name: LOCKSTEP_KIND,
  about: "PX4's own navigator and controllers, as a library in this process (PX4_LOCKSTEP_LIB).",
  version: 2,
  params: lockstepParams,
  make: (params, context: AutopilotContext): Source<"autopilot"> => new LockstepAutopilot(params, context),
});

const sitl = defineKind({
  name: SITL_KIND,
  about: "A stock PX4 process over MAVLink, fed with raw sensors (PX4_SITL_BIN).",
  version: 1,
  params: sitlParams,
  make: (_params, context: AutopilotContext): Source<"autopilot"> => makePlaceholder(context),
});

/** Makes a placeholder for stock PX4, used when a flight is only resolved or described. It cannot be flown. */
function makePlaceholder(context: AutopilotContext): Source<"autopilot"> {
  return {
    writer: "autopilot",
    axis: periodicAxis({ periodUs: context.periodUs, startUs: context.startUs ?? 0 }),
    restore: "fly-again",
    update: () => {
      throw sitlErrors.badOption({
        what: "stock PX4 cannot fly without its ports and its process",
        fix: "fly this flight with flySitl, which opens and closes them",
      });
    },
    save: () => {},
    load: () => {},
  };
}

/** Both ways to fly PX4, for `coreRegistry.with`. */
export const px4Kinds = { autopilots: [lockstep, sitl] } as const satisfies Partial<Kinds>;
