export * from "./scenario.ts";
export { ACTION_NAMES, ACTIONS, type ActionName, isEffect, type StopOutcome } from "./actions.ts";
export {
  COMPARATORS,
  type Comparator,
  type Comparison,
  type Condition,
  type ConditionFault,
  conditionText,
  crossingOf,
  parseCondition,
} from "./condition.ts";
export {
  type ConditionTrigger,
  parameterEvents,
  type ScenarioEvent,
  scheduledTimes,
  type StepTrigger,
  type TimeTrigger,
} from "./event.ts";
export {
  isStateQuantity,
  QUANTITY_NAMES,
  SIGNAL_QUANTITIES,
  STATE_QUANTITIES,
  type QuantityName,
} from "./quantities.ts";
