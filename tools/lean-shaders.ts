/**
 * Removes the parts of three.js's shaders that the scene never compiles, together with comments and indentation.
 *
 * The library selects features with `#ifdef`, and the browser's compiler drops the unselected ones. This tool already
 * drops the features that no material or light of the scene uses, so that the page need not download them.
 */

/** Features of materials that the scene does not use: textures of any kind, and layers such as clear coat. */
const NEVER_DEFINED =
  /^(?:USE_(?:\w*MAP(?:_\w+)?|CLEARCOAT|IRIDESCENCE|SHEEN|RETROREFLECTION|ANISOTROPY|DIFFUSE_ROUGHNESS|TRANSMISSION|DISPERSION|SPECULAR|TANGENT|BATCHING\w*|INSTANCING\w*|SKINNING|MORPH\w*|ALPHAHASH|POINTS_UV|SIZEATTENUATION|FOG|LIGHT_PROBES|LOGARITHMIC_DEPTH_BUFFER|REVERSED_DEPTH_BUFFER|MATCAP)|ENV(?:MAP)?_\w+|PHYSICAL|IOR|PHONG|LAMBERT|DECODE_VIDEO_TEXTURE\w*)$/;
/** The shadow map is the only map of the scene. */
const USED = /^USE_SHADOWMAP$/;
/** Kinds of lights, and clipping planes, that the scene does not have. */
const NEVER_COUNTED =
  /\bNUM_(?:POINT_LIGHT|SPOT_LIGHT|SUN_LIGHT|RECT_AREA_LIGHT|LIGHT_PROBE_GRID|CLIPPING_PLANE)\w*\s*>\s*0/g;

interface Branch {
  /** The condition as written; undefined for `#else`. */
  readonly condition: string | undefined;
  readonly lines: string[];
}

/** Returns the source of a module that exports shaders, without what the scene never compiles. */
export function leanShader(code: string): string {
  const plain = code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "").replaceAll(/\n\s+/g, "\n");
  // A module can contain several shaders as template texts. A condition begins and ends in the same text.
  return plain.replaceAll(/`[^`]*`/g, (text) => withoutUnused(text.split("\n")).join("\n"));
}

/** Removes branches whose conditions never hold. A text with an unclosed condition is returned unchanged. */
function withoutUnused(lines: readonly string[]): readonly string[] {
  const root: string[] = [];
  const open: Branch[][] = [];
  const into = () => open.at(-1)?.at(-1)?.lines ?? root;
  for (const line of lines) {
    const [, word = "", rest = ""] = /^#(ifdef|ifndef|if|elif|else|endif)\b\s*(.*)$/.exec(line) ?? [];
    if (word === "") into().push(line);
    else if (word.startsWith("if")) open.push([{ condition: conditionOf(word, rest), lines: [] }]);
    else if (open.length === 0) return lines;
    else if (word === "endif") {
      const branches = open.pop()!;
      into().push(...textOf(branches));
    } else open.at(-1)!.push({ condition: word === "else" ? undefined : rest, lines: [] });
  }
  return open.length === 0 ? root : lines;
}

function conditionOf(word: string, rest: string): string {
  if (word === "if") return rest;
  return `${word === "ifndef" ? "! " : ""}defined( ${rest.trim()} )`;
}

function textOf(branches: readonly Branch[]): string[] {
  const kept = branches.filter(({ condition }) => condition === undefined || !isNever(condition));
  if (kept.length === 0) return [];
  if (kept[0]!.condition === undefined) return kept[0]!.lines;
  const texts = kept.flatMap(({ condition, lines }, i) => [
    condition === undefined ? "#else" : `#${i === 0 ? "if" : "elif"} ${condition}`,
    ...lines,
  ]);
  return [...texts, "#endif"];
}

/**
 * Whether a condition never holds. In the reduced text `0` is false and `x` may be true. Other forms are treated as
 * `x`.
 */
function isNever(condition: string): boolean {
  let rest = condition
    .replaceAll(/defined\s*\(\s*(\w+)\s*\)/g, (_, name: string) =>
      NEVER_DEFINED.test(name) && !USED.test(name) ? "0" : "x",
    )
    .replaceAll(NEVER_COUNTED, "0")
    .replaceAll(/\w+\s*[<>]=?\s*\w+/g, "x");
  if (/[^0x&|()\s]/.test(rest)) return false;
  for (let before = ""; before !== rest;) {
    before = rest;
    rest = rest
      .replaceAll(/\(\s*([0x])\s*\)/g, "$1")
      .replaceAll(/0\s*&&\s*[0x]|x\s*&&\s*0/g, "0")
      .replaceAll(/x\s*&&\s*x/g, "x");
    if (!rest.includes("&&"))
      rest = rest.replaceAll(/x\s*\|\|\s*[0x]|0\s*\|\|\s*x/g, "x").replaceAll(/0\s*\|\|\s*0/g, "0");
  }
  return rest.trim() === "0";
}
