/** Facts about ground contact, derived from hand-made states. */
import { describe, expect, it } from "vitest";
import { FlightClock } from "../time/index.ts";
import { type Block, StateLayout } from "../state/index.ts";
import { scalarBlock } from "../../../../tests/support/flights.ts";
import { TouchFacts } from "./facts.ts";

const vectorBlock = (name: string): Block => ({ ...scalarBlock(name, "m"), size: 3 });
const layout = new StateLayout([vectorBlock("posNed"), vectorBlock("velNed")]);

function factsFor() {
  const facts = new TouchFacts(layout);
  const x = new Float64Array(6);
  const bus = { contactForceNed: new Float64Array(3) };
  const clock = new FlightClock();
  return (heightM: number, downMps: number, forceN: number) => {
    x[2] = -heightM;
    x[5] = downMps;
    bus.contactForceNed[2] = -forceN;
    facts.update(clock, x, bus);
    return {
      touching: facts.isTouching,
      impact: facts.impactSpeedMps,
      hasFlown: facts.hasFlown,
      landed: facts.isLanded,
    };
  };
}

describe("facts about ground contact", () => {
  it("a vehicle that starts on the ground has landed; one that starts in the air has not", () => {
    expect(factsFor()(0.1, 0, 0)).toEqual({ touching: 0, impact: 0, hasFlown: 0, landed: 1 });
    expect(factsFor()(20, 0, 0)).toMatchObject({ landed: 0 });
    expect(factsFor()(0.1, 3, 0)).toMatchObject({ landed: 0 });
  });

  it("the impact speed is the speed just before contact, reported once", () => {
    // Forces come from the previous boundary, because the scenario runs before the outputs are evaluated.
    const update = factsFor();
    update(1, 0, 0);
    expect(update(0.5, 3, 0)).toMatchObject({ touching: 0, impact: 0 });
    expect(update(0.1, 4.2, 0)).toMatchObject({ touching: 0 });
    // The ground stopped the vehicle within one tick, before the scenario first saw a contact force.
    expect(update(0.05, -0.2, 0)).toMatchObject({ touching: 0, impact: 0 });
    expect(update(0.05, -0.1, 80)).toMatchObject({ touching: 1, impact: 4.2 });
    expect(update(0.04, 0.1, 30)).toMatchObject({ touching: 1, impact: 0, landed: 1 });
  });

  it("a vehicle has flown once it has been off the ground and above its start", () => {
    const update = factsFor();
    expect(update(0.1, 0, 15)).toMatchObject({ hasFlown: 0 });
    expect(update(0.39, -1, 0)).toMatchObject({ hasFlown: 0 });
    expect(update(0.41, -1, 0)).toMatchObject({ hasFlown: 1 });
    expect(update(0.1, 0, 15)).toMatchObject({ hasFlown: 1, landed: 1 });
  });
});
