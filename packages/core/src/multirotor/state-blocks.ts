/** Names of the blocks of a multirotor's state, in their order; a vehicle has those that it needs. */
export type StateBlockName =
  | "posNed"
  | "velNed"
  | "qBodyToNed"
  | "rateBody"
  | "motorOutput"
  | "motorOutputRate"
  | "servoOutput"
  | "servoOutputRate"
  | "rotorSpeed"
  | "batterySoc"
  | "batteryV1"
  | "batteryV2";
