/**
 * Settings of a flight with a mission that bring the vehicle into the air within a second: lift-off is at 0.7 s instead
 * of 5.1 s. Tests use them if they check something in the air and not the take-off.
 */
export const EARLY_TAKE_OFF = {
  mission: { armAtS: 0, startAtS: 0 },
  autopilot: { parameters: { COM_SPOOLUP_TIME: 0, MPC_TKO_RAMP_T: 0, MPC_TKO_SPEED: 3 } },
} as const;

/** The same settings as text of a flight file. */
export const EARLY_TAKE_OFF_TOML = `mission = { armAtS = 0, startAtS = 0 }
autopilot.parameters = { COM_SPOOLUP_TIME = 0, MPC_TKO_RAMP_T = 0, MPC_TKO_SPEED = 3 }
`;
