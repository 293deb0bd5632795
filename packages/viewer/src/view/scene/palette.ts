/** Colours of the scene in dark and in light mode. */
import { Color } from "three";

export interface Palette {
  readonly skyTop: Color;
  readonly skyLow: Color;
  readonly ground: Color;
  readonly groundFar: Color;
  readonly fine: Color;
  readonly coarse: Color;
  readonly ring: Color;
  readonly body: Color;
  readonly canopy: Color;
  readonly arm: Color;
  readonly nose: Color;
  readonly disc: Color;
  readonly thrust: Color;
  readonly streak: Color;
  readonly gust: Color;
  readonly waypoint: Color;
  readonly fence: Color;
  readonly keepOut: Color;
  readonly stem: Color;
  readonly setpoint: Color;
  readonly estimate: Color;
  readonly contact: Color;
  readonly shadow: number;
}

const colours = (values: Readonly<Record<Exclude<keyof Palette, "shadow">, string>>, shadow: number): Palette => ({
  ...(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Color(value)])) as Record<
    Exclude<keyof Palette, "shadow">,
    Color
  >),
  shadow,
});

const DARK = colours(
  {
    skyTop: "#070b10",
    skyLow: "#22303d",
    ground: "#10171e",
    groundFar: "#1d2934",
    fine: "#2a3947",
    coarse: "#41566a",
    ring: "#35495b",
    body: "#8fa4b8",
    canopy: "#e4edf5",
    arm: "#6d8093",
    nose: "#ff8a3c",
    disc: "#8fd6ff",
    thrust: "#8fdcff",
    streak: "#6f8ea6",
    gust: "#ffc27a",
    waypoint: "#8da2b5",
    fence: "#4cc9a4",
    keepOut: "#ff8a5c",
    stem: "#6b8298",
    setpoint: "#7fe0b2",
    estimate: "#ffd166",
    contact: "#ffb454",
  },
  0.55,
);

const LIGHT = colours(
  {
    skyTop: "#c0d5e7",
    skyLow: "#e2ecf4",
    ground: "#f0f3f6",
    groundFar: "#e9eff4",
    fine: "#d2dbe3",
    coarse: "#aebcc9",
    ring: "#c1cdd8",
    body: "#2f3f4e",
    canopy: "#556a7d",
    arm: "#22303c",
    nose: "#e8641b",
    disc: "#3f9bd8",
    thrust: "#3aa0dd",
    streak: "#8fb0c8",
    gust: "#e08a1e",
    waypoint: "#6f8494",
    fence: "#00735a",
    keepOut: "#b34700",
    stem: "#93a4b3",
    setpoint: "#00835c",
    estimate: "#946200",
    contact: "#b86a00",
  },
  0.22,
);

export function paletteOf(isDark: boolean): Palette {
  return isDark ? DARK : LIGHT;
}
