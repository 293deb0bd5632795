/** Ten requirements of every kind: whole flight, windows, events, nested windows, mixed units, flags. */
export const TEN_REQUIREMENTS = [
  "never tilt > 60 deg",
  "altitude > -1 m",
  "always altitude > 2 m during 20 s..50 s",
  "positionError < 3 m and groundSpeed < 12 m/s",
  "after takeoff: batteryRemaining > 50 %",
  "if tilt > 10 deg then within 3 s: tilt < 8 deg",
  "for 10 s after takeoff: climb < 3 m/s",
  "while armed: batteryVoltageV > 10",
  "within 60 s after missionItem 1: for 1 s: positionError < 1 m",
  "eventually landed",
];
