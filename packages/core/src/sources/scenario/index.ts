export * from "./scenario.ts";
export {
  ACTION_NAMES,
  ACTIONS,
  type ActionName,
  type ChangeBits,
  isEffect,
  isSetting,
  type SettingName,
  type StopOutcome,
} from "./actions.ts";
export { COMPARATORS, type Condition, conditionText, parseCondition } from "./condition.ts";
export { type ConditionTrigger, examinationOrder, parameterEvents, type ScenarioEvent } from "./event.ts";
