/**
 * `escapement/models`: the built-in kinds and their tables, parts of the embedded autopilot, geodesy, and problems with
 * known solutions.
 */
export {
  ACTIONS,
  autopilotKinds,
  checkMission,
  Commander,
  EmbeddedAutopilot,
  Ellipsoid,
  estimatorKinds,
  HoverThrust,
  integratorKinds,
  LandDetector,
  LocalProjection,
  MISSION_COMMANDS,
  PARAMETER_TABLE,
  projectionKinds,
  sensorKinds,
  standardAltitude,
  TangentFrame,
  vehicleTable,
  verificationProblems,
  verificationTable,
  verify,
  WGS84,
  windKinds,
} from "@escapement/core";
