/** Errors of requirements and measures. */
import { defineErrors } from "../errors/index.ts";

export const requirementErrors = defineErrors("REQUIRE", {
  leftOver: {
    number: 1,
    title: "a part of a requirement cannot be parsed",
    explain:
      "A requirement is one statement: a scope such as `during 10 s..60 s:`, `always`, `never` or `eventually`, and comparisons joined by `and`, `or`, `not`, `if … then`. docs/requirements.md lists the grammar.",
  },
  unknownQuantity: {
    number: 2,
    title: "a requirement names a quantity that does not exist",
    explain: "`escapement list quantities` and `escapement list signals` show the names that can be compared.",
  },
  units: {
    number: 3,
    title: "a requirement compares or adds values of different units",
    explain:
      "Lengths are compared with lengths and angles with angles. A number needs its unit, except beside a quantity whose name ends with its unit, e.g. `altitudeM > 2`.",
  },
  badTime: {
    number: 4,
    title: "a time has no unit, or is not a whole number of microseconds",
    explain: "Times are whole microseconds, written with their unit: 250 us, 20 ms, 3 s, 2 min, 1 h.",
  },
  unknownEvent: {
    number: 5,
    title: "a requirement names an event that the flight does not have",
    explain:
      "An event is written as the name of a scenario event, as its action, as `takeoff`, `touchdown`, `arming`, `disarming` or `missionItem 3`, or as a formula in parentheses, whose rising edge is the event.",
  },
  notAStatement: {
    number: 6,
    title: "a statement is expected, but there is a value",
    explain: "A length is neither true nor false; compare it. Flags such as `landed` are statements by themselves.",
  },
  exactlyEqual: {
    number: 7,
    title: "a measured quantity is compared for equality",
    explain:
      "Measured quantities are never exactly equal to a number, so `==` and `!=` are only for flags, codes, counts and indices. Compare the distance from the value instead.",
  },
  unknownValue: {
    number: 8,
    title: "a code never has this value",
    explain: "`escapement list signals` shows the values of each code.",
  },
  badWindow: {
    number: 9,
    title: "a window ends before it begins, or lies after the flight",
    explain: "Windows are closed: both ends belong to them. They lie within the timeline of the flight.",
  },
  fromWhen: {
    number: 10,
    title: "a requirement does not say when it applies",
    explain:
      "`until`, `within` and `for` refer to a time after some instant. A scope (`at 0 s:`, `after takeoff:`), `always` or `eventually` defines this instant. `while` and events take formulas without these words.",
  },
  notHere: {
    number: 11,
    title: "this flight or log does not have the quantity",
    explain:
      "The vehicle decides how many rotors and batteries there are, and the description decides which sensors there are. A log has only the columns that were written to it.",
  },
  sameName: {
    number: 12,
    title: "two requirements have the same name",
    explain: "Results are listed by name. A requirement without a name has its text as its name.",
  },
  tooLarge: {
    number: 13,
    title: "a requirement is too large",
    explain: "A requirement has at most 1000 parts and 32 nested operators. Split it into several requirements.",
  },
});
