import { BackSide, BoxGeometry, Color, GLSL3, Mesh, RawShaderMaterial, type Scene, Vector2, Vector3 } from 'three'
import type { Daylight, Light } from './daylight.ts'

/** A box around the camera, behind everything, in GLSL ES 3. */
const skyVertexShader = `
precision highp float;
in vec3 position;
uniform mat4 projectionMatrix;
uniform mat4 modelViewMatrix;
out vec3 direction;
void main() {
  direction = position;
  vec4 seen = projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0);
  gl_Position = seen.xyww;
}`

/** Sun and moon are square, like everything else. */
const skyFragmentShader = `
precision highp float;
in vec3 direction;
uniform vec3 horizon;
uniform vec3 zenith;
uniform vec3 light;
uniform vec3 sun;
uniform vec2 drift;
uniform float stars;
uniform float clear;
out vec4 result;
float hash(vec2 p) {
  vec3 q = fract(vec3(p.xyx) * 0.1031);
  q += dot(q, q.yzx + 33.33);
  return fract((q.x + q.y) * q.z);
}
float hash3(vec3 p) {
  p = fract(p * 0.1031);
  p += dot(p, p.zyx + 31.32);
  return fract((p.x + p.y) * p.z);
}
float patchAt(vec2 p) {
  vec2 i = floor(p);
  vec2 f = p - i;
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), f.x), f.y);
}
float squareAt(vec3 d, vec3 to, float size) {
  vec3 along = normalize(cross(to, vec3(0.0, 0.0, 1.0)));
  vec3 across = cross(along, to);
  float far = max(abs(dot(d, along)), abs(dot(d, across)));
  return step(0.0, dot(d, to)) * (1.0 - smoothstep(size - 0.002, size, far));
}
void main() {
  vec3 d = normalize(direction);
  float up = clamp(d.y, 0.0, 1.0);
  vec3 c = mix(horizon, zenith, pow(up, 0.55));
  if (clear > 0.0) {
    float toSun = max(dot(d, sun), 0.0);
    float low = 1.0 - smoothstep(0.0, 0.4, abs(sun.y));
    c += vec3(1.0, 0.62, 0.3) * low * 0.35 * pow(toSun, 5.0);
    c += vec3(1.0, 0.85, 0.6) * 0.25 * pow(toSun, 24.0) * smoothstep(-0.12, 0.05, sun.y);
    if (stars > 0.0 && d.y > 0.0) {
      vec3 cell = floor(d * 150.0);
      c += vec3(0.85, 0.9, 1.0) * stars * step(0.9975, hash3(cell)) * (0.4 + 0.6 * hash3(cell + 7.0)) * smoothstep(0.0, 0.25, d.y);
    }
    c = mix(c, vec3(1.0, 0.95, 0.8), squareAt(d, sun, 0.055));
    c = mix(c, vec3(0.86, 0.9, 0.98), squareAt(d, -sun, 0.042) * smoothstep(0.05, 0.3, stars));
    if (d.y > 0.03) {
      vec2 at = floor((d.xz / d.y * 90.0 + drift) / 7.0);
      float cover = 0.65 * patchAt(at / 7.0) + 0.35 * patchAt(at / 3.0 + 17.0);
      c = mix(c, light, step(0.64, cover) * mix(0.55, 0.2, stars) * smoothstep(0.04, 0.34, d.y));
    }
  }
  result = vec4(c, 1.0);
}`

/** The background: sky colour, sun, moon, stars and drifting clouds. */
export type Sky = {
  show(daylight: Daylight): void
  /** A single colour, as in water. */
  hide(colour: Light): void
  /** Clouds stay in place while the camera moves. */
  move(x: number, z: number, seconds: number): void
}

export const createSky = (scene: Scene): Sky => {
  const uniforms = {
    horizon: { value: new Color() },
    zenith: { value: new Color() },
    light: { value: new Color() },
    sun: { value: new Vector3(0, 1, 0) },
    drift: { value: new Vector2() },
    stars: { value: 0 },
    clear: { value: 1 },
  }
  const material = new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: skyVertexShader,
    fragmentShader: skyFragmentShader,
    uniforms,
    side: BackSide,
    depthWrite: false,
  })
  const mesh = new Mesh(new BoxGeometry(2, 2, 2), material)
  mesh.frustumCulled = false
  // Drawn after the ground, to paint no pixel twice.
  mesh.renderOrder = 0.5
  scene.add(mesh)
  return {
    show: ({ horizon, zenith, sky, sun, stars }) => {
      uniforms.horizon.value.setRGB(...horizon)
      uniforms.zenith.value.setRGB(...zenith)
      uniforms.light.value.setRGB(...sky)
      uniforms.sun.value.set(...sun)
      uniforms.stars.value = stars
      uniforms.clear.value = 1
    },
    hide: (colour) => {
      uniforms.horizon.value.setRGB(...colour)
      uniforms.zenith.value.setRGB(...colour)
      uniforms.clear.value = 0
    },
    move: (x, z, seconds) => uniforms.drift.value.set((x % 40_000) + seconds * 1.5, z % 40_000),
  }
}
