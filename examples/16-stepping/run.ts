/** An episode of hovering with 250 actions per second; the reward is the negative distance from a height of 5 m. */
import { SteppedFlight } from "escapement";

const gym = new SteppedFlight(
  {
    vehicle: { extends: "iris", initial: { posNedM: [0, 0, -4], onGround: false, hovering: true } },
    wind: "none",
    timeline: { endS: 10 },
  },
  { reward: (view) => -Math.abs(view.estPosNed[2]! + 5) },
);

/** Observation: position (3), velocity (3), attitude (4), rates (3), charge. */
function policy(o: Float64Array): number[] {
  const lift = 0.575 + 0.15 * (o[2]! + 5) + 0.25 * o[5]!;
  const [roll, pitch, yaw] = [0, 1, 2].map((i) => -(i < 2 ? 0.5 : 0.15) * 2 * o[6]! * o[7 + i]! - 0.08 * o[10 + i]!);
  const duty = (r: number, p: number, y: number) => Math.max(0, Math.min(1, lift + r * roll! + p * pitch! + y * yaw!));
  return [duty(-1, 1, 1), duty(1, -1, 1), duty(1, 1, -1), duty(-1, -1, -1)];
}

let now = gym.reset({ seed: 3 });
export let reward = 0;
while (!now.terminated && !now.truncated) {
  now = gym.step(policy(now.observation));
  reward += now.reward / 2500;
}
export const result = gym.result();
console.log(`${result.outcome} after ${now.tUs / 1e6} s; mean reward ${reward.toFixed(3)}; ${result.fingerprint}`);
