/**
 * Stepped flights: the same bits as the plain loop, the beginning and end of episodes, and errors for invalid actions.
 */
import { describe, expect, it } from "vitest";
import { flyNow } from "../engine/index.ts";
import { controllerSource } from "../autopilot/index.ts";
import { codeOf, RowSink } from "../../../../tests/support/flights.ts";
import { assemble } from "./assemble.ts";
import { coreRegistry } from "../describe/registry.ts";
import { mustResolve, resolveFlight } from "../describe/resolve/resolve.ts";
import type { FlightSpec } from "../describe/spec/spec.ts";
import { SteppedFlight } from "./stepping.ts";

const SPEC: FlightSpec = {
  vehicle: { extends: "iris", initial: { posNedM: [0, 0, -5], onGround: false, hovering: true } },
  timeline: { endS: 1 },
};

/** A policy that roughly holds the height, so that the action depends on the observation. */
const policy = (observation: Float64Array): number[] => {
  const duty = Math.min(1, Math.max(0, 0.55 + 0.1 * (observation[2]! + 5) + 0.1 * observation[5]!));
  return [duty, duty, duty, duty];
};

function episode(options: ConstructorParameters<typeof SteppedFlight>[1] = {}, seed?: number) {
  const gym = new SteppedFlight(SPEC, options);
  const actions: number[][] = [];
  let now = gym.reset(seed === undefined ? {} : { seed });
  const seen = [now.observation.slice()];
  while (!now.terminated && !now.truncated) {
    actions.push(policy(now.observation));
    now = gym.step(actions.at(-1)!);
    seen.push(now.observation.slice());
  }
  return { gym, actions, seen, last: now };
}

describe("a stepped flight", () => {
  it("has the bits of the plain loop under the same commands", () => {
    const { gym, actions } = episode();
    const { definition } = mustResolve(resolveFlight({ file: "test", spec: SPEC }, coreRegistry));
    const autopilot = (context: { periodUs: number }) =>
      controllerSource(
        {
          update(clock, bus) {
            const action = actions[Math.min(clock.us / 4000, actions.length - 1)]!;
            bus.motorCommand.set(action);
            bus.armed[0] = 1;
          },
        },
        context,
      );
    const { flight, fingerprint } = assemble(definition, coreRegistry, { autopilot });
    const end = flyNow(flight);
    expect(gym.result().digests).toEqual(fingerprint!.result());
    expect(gym.result().end).toEqual(end);
  });

  it("makes one step per tick, and ends with its timeline", () => {
    const { actions, last, seen } = episode();
    expect([actions.length, last.tUs, last.truncated, last.terminated]).toEqual([250, 1_000_000, true, false]);
    expect(seen[0]!.slice(6, 10).reduce((sum, q) => sum + q * q, 0)).toBeCloseTo(1, 12);
    expect(seen).toHaveLength(251);
  });

  it("can be reset with the same seed or another", () => {
    const first = episode();
    expect(episode().seen).toEqual(first.seen);
    expect(episode({}, 2).seen).not.toEqual(first.seen);
    const { gym } = first;
    expect(gym.reset().observation.slice()).toEqual(first.seen[0]);
  });

  it("terminates when the scenario stops the flight", () => {
    const gym = new SteppedFlight({ ...SPEC, timeline: { endS: 5 } });
    let now = gym.reset();
    while (!now.terminated && !now.truncated) now = gym.step([0, 0, 0, 0]);
    expect([now.terminated, gym.result().outcome]).toEqual([true, "crashed"]);
    expect(now.tUs).toBeLessThan(2_000_000);
  });

  it("holds an action over several ticks", () => {
    const { actions, last } = episode({ ticksPerStep: 5 });
    expect([actions.length, last.tUs]).toEqual([50, 1_000_000]);
  });

  it("uses a custom observation and reward", () => {
    const gym = new SteppedFlight(SPEC, {
      observe: { size: 1, fill: (view, clock, out) => (out[0] = clock.s + view.motorCommand[0]!) },
      reward: (view) => -Math.abs(view.estPosNed[2]! + 5),
    });
    expect([...gym.reset().observation]).toEqual([0]);
    const { observation, reward } = gym.step([0.5, 0.5, 0.5, 0.5]);
    expect([...observation]).toEqual([0.504]);
    expect(reward).toBeLessThanOrEqual(0);
  });

  it("rejects invalid calls", () => {
    const gym = new SteppedFlight(SPEC);
    expect(codeOf(() => gym.step([0, 0, 0, 0]))).toBe("FLIGHT-026");
    gym.reset();
    expect(codeOf(() => gym.result())).toBe("FLIGHT-026");
    expect(codeOf(() => gym.step([0, 0]))).toBe("FLIGHT-008");
    expect(codeOf(() => gym.reset({ seed: 1.5 }))).toBe("FLIGHT-027");
    // The current episode continues.
    expect(gym.step([0.5, 0.5, 0.5, 0.5]).tUs).toBe(4000);
    for (const ticksPerStep of [0, 1.5]) {
      expect(codeOf(() => new SteppedFlight(SPEC, { ticksPerStep }))).toBe("FLIGHT-027");
    }
    expect(codeOf(() => new SteppedFlight({ seed: -1 }))).toBe("FLIGHT-005");
  });

  it("is over after an error, and reports it", () => {
    const gym = new SteppedFlight(SPEC);
    gym.reset();
    expect(codeOf(() => gym.step([2, 0, 0, 0]))).toBe("ENGINE-003");
    for (const more of [() => gym.step([0, 0, 0, 0]), () => gym.result()]) {
      expect(more).toThrow("FLIGHT-026: the episode ended with an error");
    }
    expect(gym.reset().truncated).toBe(false);
  });

  it("closes its sinks at the end of an episode and at a reset; rejects sinks that may have to wait", () => {
    const sink = new RowSink();
    const { gym } = episode({ sinks: [sink] });
    expect([sink.rows.length, sink.closed]).toEqual([51, 1]);
    gym.reset();
    gym.reset();
    expect(sink.closed).toBe(2);
    const slow = Object.assign(new RowSink(), { neverFull: false });
    expect(codeOf(() => new SteppedFlight(SPEC, { sinks: [slow] }))).toBe("FLIGHT-027");
  });
});
