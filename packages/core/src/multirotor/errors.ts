/** Errors of the vehicle: inconsistent descriptions, and states in which its equations have no solution. */
import { defineErrors } from "../errors/index.ts";

export const plantErrors = defineErrors("PLANT", {
  badVehicle: {
    number: 1,
    title: "the description of a vehicle is not consistent",
    explain:
      "Every number of a vehicle must be in its range, and some depend on each other: the inertia tensor must be physically possible, rotors and batteries must be on existing buses, and warning thresholds must be ordered.",
  },
  impossibleCircuit: {
    number: 2,
    title: "an electrical bus has no working point",
    explain:
      "A constant-power load demands more than the sources can supply at any voltage (for one source: more than V0²/4R), or a value of the circuit is not finite. If the bus has a brown-out voltage above 0, the load is shed instead of causing this error.",
  },
  unreachableThrust: {
    number: 3,
    title: "a propeller cannot be calibrated to the requested thrust",
    explain:
      "At full duty and nominal voltage a motor delivers at most the torque Kt·V/R, so thrust is at most Kt·V/(R·km). Request less thrust, or use a stronger motor, a higher voltage or a smaller torque ratio.",
  },
  noTrim: {
    number: 4,
    title: "a vehicle cannot hover",
    explain:
      "Either no set of non-negative rotor thrusts balances the weight without a moment, or a rotor would need more than full duty or its current limit, or the batteries cannot supply the hover power above their cut-off voltage.",
  },
  tooHeavy: {
    number: 5,
    title: "a vehicle cannot lift itself",
    explain:
      "Its weight exceeds the thrust of all its rotors together at full duty, with full batteries, at the altitude of the origin. Common causes are a mass in grams, or motors, propellers and batteries of another vehicle.",
  },
  otherState: {
    number: 7,
    title: "changes of a vehicle need a different state vector",
    explain:
      "A vehicle may change in flight if its states stay the same. Before the flight, each change is checked together with all earlier changes of the scenario. Here, events that fire on conditions caused a combination of changes that was not checked.",
  },
  noSteadyFlight: {
    number: 8,
    title: "a vehicle cannot fly steadily at this speed",
    explain:
      "At the requested speed and climb no attitude balances the vehicle within the limits of its rotors: a rotor would need more than full duty or negative duty, or drag exceeds the available thrust.",
  },
  propellerRows: {
    number: 9,
    title: "measurements of a propeller do not determine a blade",
    explain:
      "A blade is fitted to the rows whose thrust coefficient is positive and at least a tenth of the largest one. There must be at least three such rows, and their thrust and power coefficients together must outnumber the parameters to fit; four rows always suffice.",
  },
  inertiaOfAnother: {
    number: 10,
    title: "the mass and the inertia of a vehicle do not fit together",
    explain:
      "The radius of gyration is √(moment of inertia / mass), a mean distance of the mass from the axis. Here it is less than a tenth, or more than three times, the distance of the rotors from the centre. Usually only one of the two was changed, or one has a wrong unit. If the inertia is too small, the forces at the feet rotate the vehicle so fast that its simulation can take a hundred times as long.",
  },
  standsOnRotors: {
    number: 6,
    title: "a vehicle has no feet",
    explain:
      "Without feet and without a hull that reaches below its rotors, the vehicle rests on the tips of its propellers. It takes off and lands on them, and its centre of mass is at the height of the rotors. A vehicle without feet whose hull reaches below its rotors rests on the hull. A vehicle that has neither feet nor a hull nor rotor tips as contact points falls through the ground. Describe the feet of the landing gear.",
  },
});
