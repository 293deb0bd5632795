/**
 * An integrator that keeps the state constant while time passes: for testing sources, sinks and boundaries alone.
 */
import type { Integrator } from "../integrate/index.ts";

export function standstill(): Integrator {
  return {
    order: 1,
    stats: { evaluations: 0, accepted: 0, rejected: 0, seams: 0, forced: 0 },
    isValid: true,
    advance: () => true,
    restart: () => {},
    memorySize: 0,
    saveInto: () => {},
    restoreFrom: () => {},
    save: () => {},
    load: () => {},
  };
}
