/**
 * Ground and sky: grid lines every 1 m and 10 m, range rings every 25 m, the axes through home, and a soft horizon.
 *
 * A shader draws the lines on one large plane, so they stay thin at any distance. The colour of the far ground is close
 * to the colour of the low sky, so there is no hard edge.
 */
import { BackSide, DoubleSide, Mesh, PlaneGeometry, ShaderMaterial, SphereGeometry, Vector3 } from "three";
import type { Palette } from "./palette.ts";

const REACH_M = 3000;
const SKY_M = 4000;

const GROUND_VERTEX = /* glsl */ `
varying vec2 vPlace;
void main() {
  vPlace = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const GROUND_FRAGMENT = /* glsl */ `
uniform vec3 ground; uniform vec3 far; uniform vec3 fine; uniform vec3 coarse; uniform vec3 ring;
uniform vec3 eye; uniform float hasFine;
varying vec2 vPlace;
float lineAt(vec2 place, float gap, float width) {
  vec2 size = fwidth(place);
  vec2 off = abs(fract(place / gap - 0.5) - 0.5) * gap;
  vec2 line = 1.0 - smoothstep(vec2(0.0), size * width, off);
  // Fade out lines that are only a few pixels apart, because they would shimmer near the horizon.
  vec2 thin = smoothstep(vec2(5.0), vec2(26.0), gap / max(size, vec2(1e-6)));
  return max(line.x * thin.x, line.y * thin.y);
}
float ringAt(float radius, float gap, float width) {
  float size = fwidth(radius);
  float off = abs(fract(radius / gap - 0.5) - 0.5) * gap;
  float line = 1.0 - smoothstep(0.0, size * width, off);
  return line * smoothstep(6.0, 30.0, gap / max(size, 1e-6)) * step(gap * 0.5, radius);
}
void main() {
  float away = distance(vPlace, eye.xy);
  float reach = away / max(60.0, 14.0 * abs(eye.z) + 60.0);
  vec3 colour = ground;
  colour = mix(colour, fine, lineAt(vPlace, 1.0, 1.0) * 0.5 * hasFine * (1.0 - smoothstep(14.0, 45.0, away)));
  colour = mix(colour, coarse, lineAt(vPlace, 10.0, 1.0) * 0.6 * (1.0 - smoothstep(80.0, 420.0, away)));
  colour = mix(colour, ring, ringAt(length(vPlace), 25.0, 1.2) * 0.8 * (1.0 - smoothstep(120.0, 500.0, away)));
  vec2 size = fwidth(vPlace);
  float axes = max(1.0 - smoothstep(size.x * 0.4, size.x * 1.4, abs(vPlace.x)),
                   1.0 - smoothstep(size.y * 0.4, size.y * 1.4, abs(vPlace.y)));
  colour = mix(colour, coarse, axes * 0.95 * (1.0 - smoothstep(100.0, 400.0, away)));
  colour = mix(colour, far, 1.0 - exp(-reach * reach * 0.55));
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;

const SKY_VERTEX = /* glsl */ `
varying vec3 vWay;
void main() {
  vWay = position;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const SKY_FRAGMENT = /* glsl */ `
uniform vec3 top; uniform vec3 low;
varying vec3 vWay;
void main() {
  float up = normalize(vWay).y;
  vec3 colour = mix(low, top, smoothstep(-0.02, 0.32, up));
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;

export class Ground {
  readonly ground: Mesh;
  readonly sky: Mesh;
  private readonly groundMaterial: ShaderMaterial;
  private readonly skyMaterial: ShaderMaterial;

  constructor(palette: Palette) {
    const { ground, groundFar, fine, coarse, ring, skyTop, skyLow } = palette;
    this.groundMaterial = new ShaderMaterial({
      vertexShader: GROUND_VERTEX,
      fragmentShader: GROUND_FRAGMENT,
      side: DoubleSide,
      uniforms: {
        ground: { value: ground },
        far: { value: groundFar },
        fine: { value: fine },
        coarse: { value: coarse },
        ring: { value: ring },
        eye: { value: new Vector3() },
        hasFine: { value: 1 },
      },
    });
    this.ground = new Mesh(new PlaneGeometry(2 * REACH_M, 2 * REACH_M), this.groundMaterial);
    this.skyMaterial = new ShaderMaterial({
      vertexShader: SKY_VERTEX,
      fragmentShader: SKY_FRAGMENT,
      side: BackSide,
      depthWrite: false,
      uniforms: { top: { value: skyTop }, low: { value: skyLow } },
    });
    this.sky = new Mesh(new SphereGeometry(SKY_M, 24, 12), this.skyMaterial);
    this.sky.renderOrder = -1;
  }

  setPalette({ ground, groundFar, fine, coarse, ring, skyTop, skyLow }: Palette): void {
    const values = { ground, far: groundFar, fine, coarse, ring };
    for (const [name, value] of Object.entries(values)) this.groundMaterial.uniforms[name]!.value = value;
    this.skyMaterial.uniforms["top"]!.value = skyTop;
    this.skyMaterial.uniforms["low"]!.value = skyLow;
  }

  /** `eyeNed` is the position of the camera. */
  update(eyeNed: Vector3, hasFine: boolean): void {
    (this.groundMaterial.uniforms["eye"]!.value as Vector3).copy(eyeNed);
    this.groundMaterial.uniforms["hasFine"]!.value = hasFine ? 1 : 0;
  }

  dispose(): void {
    for (const mesh of [this.ground, this.sky]) mesh.geometry.dispose();
    this.groundMaterial.dispose();
    this.skyMaterial.dispose();
  }
}
