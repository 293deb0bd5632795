/** All error catalogues of the core, for `escapement explain` and the docs. A test compares them with the sources. */
import { bisectErrors } from "./bisect/errors.ts";
import { engineErrors } from "./engine/errors.ts";
import type { ErrorCatalogue } from "./errors/index.ts";
import { flightErrors } from "./describe/errors.ts";
import { integrateErrors } from "./integrate/errors.ts";
import { airErrors } from "./world/atmosphere/errors.ts";
import { plantErrors } from "./multirotor/errors.ts";
import { geodesyErrors } from "./world/geodesy/errors.ts";
import { magneticErrors } from "./world/magnetic/errors.ts";
import { recordErrors } from "./record/errors.ts";
import { requirementErrors } from "./requirements/errors.ts";
import { snapshotErrors } from "./snapshot/errors.ts";
import { autopilotErrors } from "./autopilot/errors.ts";
import { missionErrors } from "./autopilot/mission-check.ts";
import { estimatorErrors } from "./sources/estimator/errors.ts";
import { sensorErrors } from "./sources/sensors/context.ts";
import { windErrors } from "./sources/wind/errors.ts";
import { stateErrors } from "./state/errors.ts";
import { timeErrors } from "./time/errors.ts";

export const coreCatalogues: readonly ErrorCatalogue[] = [
  airErrors,
  autopilotErrors,
  bisectErrors,
  engineErrors,
  estimatorErrors,
  flightErrors,
  geodesyErrors,
  integrateErrors,
  magneticErrors,
  missionErrors,
  plantErrors,
  recordErrors,
  requirementErrors,
  sensorErrors,
  snapshotErrors,
  stateErrors,
  timeErrors,
  windErrors,
];
