/** Errors of the vehicle: what a person can get wrong in its description, and where its equations end. */
import { defineErrors } from "../errors/index.ts";

export const plantErrors = defineErrors("PLANT", {
  badVehicle: {
    number: 1,
    title: "the description of a vehicle is not consistent",
    explain:
      "Every number of a vehicle is checked for its range; some only make sense together: an inertia tensor must be one that a body can have, rotors and batteries must lie on buses that exist, warning thresholds must be ordered.",
  },
  impossibleCircuit: {
    number: 2,
    title: "an electrical bus has no working point",
    explain:
      "A constant-power load asks for more than its sources can give at any voltage (for one source: more than V0²/4R), or a value of the circuit is not finite. With a brown-out voltage above 0 the load is shed instead.",
  },
  unreachableThrust: {
    number: 3,
    title: "a propeller cannot be calibrated to the thrust asked for",
    explain:
      "At full duty and nominal voltage a motor can give at most Kt·V/R of torque, so thrust is bounded by Kt·V/(R·km). Ask for less, or give a stronger motor, a higher voltage or a smaller torque ratio.",
  },
  noTrim: {
    number: 4,
    title: "a vehicle cannot hover",
    explain:
      "No set of non-negative rotor thrusts balances the weight without a moment, a rotor would need more than full duty or its largest current, or the batteries cannot supply the power that hovering takes above their cut-off voltage.",
  },
  tooHeavy: {
    number: 5,
    title: "a vehicle cannot lift itself",
    explain:
      "Its weight exceeds the thrust of all its rotors together at full duty, with full batteries, at the altitude of the origin. It flies, but only downwards: often a mass in grams, or motors, propellers and batteries of another vehicle.",
  },
});
