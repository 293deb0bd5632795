/** The unit of a varied key. The name of the key ends in the unit: `w20Mps` is in m/s. */
const SUFFIXES: readonly (readonly [suffix: string, unit: string])[] = [
  ["Mps2", "m/s²"],
  ["Mps", "m/s"],
  ["DegPerS", "deg/s"],
  ["RadPerS", "rad/s"],
  ["KgM2", "kg m²"],
  ["DegC", "°C"],
  ["Deg", "deg"],
  ["Rad", "rad"],
  ["Kg", "kg"],
  ["Ohm", "Ω"],
  ["Hz", "Hz"],
  ["Ah", "Ah"],
  ["Pa", "Pa"],
  ["M2", "m²"],
  ["Us", "µs"],
  ["M", "m"],
  ["S", "s"],
  ["V", "V"],
  ["A", "A"],
  ["N", "N"],
  ["K", "K"],
  ["W", "W"],
];

/** Returns the unit in the name of a key; empty if it has none, e.g. for autopilot parameters (`MPC_XY_P`). */
export function unitOfKey(key: string): string {
  const name = key.slice(key.lastIndexOf(".") + 1).replace(/\[[0-9]+\]$/, "");
  if (name.includes("_")) return "";
  const found = SUFFIXES.find(([suffix]) => name.endsWith(suffix) && /[a-z0-9]$/.test(name.slice(0, -suffix.length)));
  return found?.[1] ?? "";
}
