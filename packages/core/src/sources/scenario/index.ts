export * from "./scenario.ts";
export { ACTION_NAMES, ACTIONS, type ActionName, REQUEST_MODES, SENSOR_FAULTS } from "./actions.ts";
export * from "./condition.ts";
export { QUANTITY_NAMES, SIGNAL_QUANTITIES, STATE_QUANTITIES, type QuantityName } from "./quantities.ts";
