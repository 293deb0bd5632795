/**
 * `escapement/models`: the built-in kinds and their tables, parts of the embedded autopilot, geodesy, and problems with
 * known solutions.
 */
export {
  ACTIONS,
  autopilotKinds,
  buildPlant,
  checkMission,
  Commander,
  EmbeddedAutopilot,
  Ellipsoid,
  estimatorKinds,
  fitPropeller,
  HoverThrust,
  integratorKinds,
  LandDetector,
  linearise,
  LocalProjection,
  MISSION_COMMANDS,
  PARAMETER_TABLE,
  projectionKinds,
  sensorKinds,
  speedSweep,
  standardAltitude,
  steadyFlight,
  TangentFrame,
  vehicleTable,
  verificationProblems,
  verificationTable,
  verify,
  WGS84,
  windKinds,
} from "@escapement/core";
