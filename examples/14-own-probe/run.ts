/** Measures the root mean square error of the estimated position with a probe. */
import { fly, type Probe } from "escapement";

let squares = 0;
let count = 0;
const estimateError: Probe = {
  observe(_clock, bus) {
    const truth = bus.truth.block("posNed", "estimateError");
    for (let i = 0; i < 3; i += 1) squares += (bus.estPosNed[i]! - truth[i]!) * (bus.estPosNed[i]! - truth[i]!);
    count += 1;
  },
};

export const flight = await fly({ extends: "mission", timeline: { endS: 30 } }, { probes: [estimateError] });
export const rmsM = Math.sqrt(squares / count);
console.log(`${count} estimates, ${rmsM.toFixed(4)} m RMS error`);
