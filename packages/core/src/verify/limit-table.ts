/**
 * The largest error and invariant drift that each integrator may have on each verification problem, rounded up to two
 * digits. Results are deterministic, so a larger value is a defect.
 *
 * `npm run docs` adds the errors of a new integrator or problem, and never changes a limit.
 */
export const LIMITS = {
  "harmonic oscillator": {
    euler: [6.2, 5.1e1],
    rk4: [8.6e-6, 8.6e-7],
    rk23: [6.7e-9, 1.4e-8],
    rk43: [2.4e-9, 3e-11],
    rk45: [7.9e-10, 1.6e-9],
  },
  "pendulum, 0.1 rad": {
    euler: [6.3e-1, 1.7],
    rk4: [2.5e-7, 1.4e-8],
    rk23: [2.2e-8, 4.4e-8],
    rk43: [5.5e-9, 1.2e-10],
    rk45: [2.6e-9, 5.2e-9],
  },
  "pendulum, 3 rad": {
    euler: [1.3e1, 2.2e-1],
    rk4: [6.4e-7, 9.3e-9],
    rk23: [8.9e-8, 4.9e-10],
    rk43: [1.1e-9, 2.5e-11],
    rk45: [2.6e-8, 1.4e-10],
  },
  "Kepler orbit, circular": {
    euler: [5.6e-1, 1.1e-1],
    rk4: [1.6e-9, 1.8e-11],
    rk23: [2.4e-9, 5e-10],
    rk43: [1.6e-9, 8.5e-12],
    rk45: [4.3e-11, 1.2e-11],
  },
  "Kepler orbit, e = 0.6": {
    euler: [1.1, 1.2e-1],
    rk4: [1.4e-7, 4.4e-9],
    rk23: [5e-9, 5.2e-10],
    rk43: [1.2e-8, 3.8e-10],
    rk45: [3.9e-9, 1.5e-10],
  },
  "torque-free body": {
    euler: [9.4e-3, 3.8e-3],
    rk4: [2.4e-12, 1.2e-12],
    rk23: [7.1e-10, 2.8e-10],
    rk43: [2.8e-10, 1.2e-10],
    rk45: [7e-11, 5.4e-11],
  },
  "tumbling brick": {
    euler: [4.6e-2, 9.4e-3],
    rk4: [2.5e-11, 7.9e-12],
    rk23: [2.1e-9, 4.3e-10],
    rk43: [1.3e-9, 2.7e-10],
    rk45: [1.5e-10, 3e-11],
  },
  "oscillator, rotors, battery": {
    euler: [2.5e-1, 1.1e-13],
    rk4: [2.5e-3, 1.1e-13],
    rk23: [1.4e-9, 1.1e-13],
    rk43: [4.4e-10, 7.8e-16],
    rk45: [3.4e-11, 1.1e-13],
  },
} as const;
