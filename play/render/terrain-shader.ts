/** One program for all ground, in GLSL ES 3. Vertices are as `ColumnMesh` says; colours are of the screen, and so is the light. */
export const terrainVertexShader = `
precision highp float;
precision highp int;
in uvec2 packed;
uniform mat4 modelMatrix;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform float time;
out vec3 place;
out vec3 colour;
out float shade;
out float light;
out float away;
flat out int normal;
flat out int style;
flat out float glow;
flat out vec2 corner;
const float sides[7] = float[7](0.84, 0.80, 1.0, 0.52, 0.70, 0.66, 0.96);
const float occlusions[4] = float[4](0.50, 0.70, 0.86, 1.0);
void main() {
  uint a = packed.x;
  uint b = packed.y;
  place = vec3(float(a & 31u), float((a >> 5) & 511u), float((a >> 14) & 31u));
  normal = int((a >> 19) & 7u);
  style = int((b >> 24) & 15u);
  glow = float((b >> 28) & 1u);
  light = float((a >> 24) & 7u) / 4.0;
  shade = sides[normal] * occlusions[int((a >> 22) & 3u)];
  colour = vec3(float((b >> 16) & 255u), float((b >> 8) & 255u), float(b & 255u)) / 255.0;
  corner = mod(modelMatrix[3].xz, 4096.0);
  vec3 moved = place;
  // Waves of a sixteenth's length, so that columns meet.
  if (((a >> 27) & 1u) == 1u)
    moved.y -= 0.13 + 0.035 * sin(place.x * 0.7853982 + time * 1.1) + 0.035 * sin(place.z * 0.3926991 + place.x * 0.3926991 + time * 0.8);
  vec4 seen = modelViewMatrix * vec4(moved, 1.0);
  away = length(seen.xyz);
  gl_Position = projectionMatrix * seen;
}`

export const terrainFragmentShader = `
precision highp float;
precision highp int;
in vec3 place;
in vec3 colour;
in float shade;
in float light;
in float away;
flat in int normal;
flat in int style;
flat in float glow;
flat in vec2 corner;
uniform vec3 fogColour;
uniform vec2 fogRange;
uniform vec3 grassColour;
uniform vec3 stoneColour;
uniform float time;
out vec4 result;
const vec3 normals[7] = vec3[7](vec3(1,0,0), vec3(-1,0,0), vec3(0,1,0), vec3(0,-1,0), vec3(0,0,1), vec3(0,0,-1), vec3(0));
float hash(vec3 p) {
  p = fract(p * vec3(0.1031, 0.1030, 0.0973));
  p += dot(p, p.yxz + 33.33);
  return fract((p.x + p.y) * p.z);
}
void main() {
  vec3 inner = place - normals[normal] * 0.01;
  vec3 block = floor(inner);
  vec3 part = fract(inner);
  vec3 world = block + vec3(corner.x, 0.0, corner.y);
  vec2 face = normal < 2 ? part.zy : normal < 4 ? part.xz : part.xy;
  vec2 texel = floor(face * 16.0);
  float near = 1.0 - smoothstep(14.0, 56.0, away);
  float grain = hash(world * 16.0 + floor(part * 16.0) + 0.5);
  float coarse = hash(world + 7.3);
  vec3 c = colour * (1.0 + (coarse - 0.5) * 0.05);
  float alpha = 1.0;
  if (style == 0) c *= 1.0 + (grain - 0.5) * 0.16 * near;
  else if (style == 1) {
    float row = floor(face.y * 4.0);
    vec2 brick = fract(vec2(face.x * 2.0 + 0.5 * mod(row, 2.0), face.y * 4.0));
    float mortar = step(brick.y, 0.22) + step(brick.x, 0.11);
    c *= 1.0 + ((grain - 0.5) * 0.12 - 0.22 * min(mortar, 1.0)) * near;
  } else if (style == 2) {
    float plank = floor(face.y * 4.0);
    float seam = step(fract(face.y * 4.0), 0.14) + step(abs(face.x - fract(plank * 0.37 + 0.2)), 0.035);
    float streak = hash(vec3(floor(face.x * 5.0 + plank * 3.0), texel.y, world.y + 3.0));
    c *= 1.0 + ((streak - 0.5) * 0.14 - 0.24 * min(seam, 1.0)) * near;
  } else if (style == 3) {
    float speck = hash(floor(vec3(face * 5.0, float(normal))) + world * 3.1);
    c = mix(stoneColour, c, step(0.66, speck) * mix(0.6, 1.0, near)) * (1.0 + (grain - 0.5) * 0.14 * near);
  } else if (style == 4) c *= 1.0 + ((grain - 0.5) * 0.34 - 0.22 * step(0.86, hash(floor(part * 8.0) + world * 5.7))) * near;
  else if (style == 5) {
    if (normal == 2) c *= 1.0 + (grain - 0.5) * 0.20 * near;
    else {
      float fringe = 0.80 - 0.22 * hash(vec3(texel.x, world.x + world.z, float(normal)));
      c = normal != 3 && face.y > fringe ? grassColour : c;
      c *= 1.0 + (grain - 0.5) * 0.17 * near;
    }
  } else if (style == 6) {
    float edge = step(0.47, max(abs(face.x - 0.5), abs(face.y - 0.5)));
    c *= 1.0 + ((grain - 0.5) * 0.05 - 0.08 * edge) * near;
  } else if (style == 7) {
    float streak = normal == 2 || normal == 3
      ? 0.5 + 0.5 * sin(max(abs(face.x - 0.5), abs(face.y - 0.5)) * 50.0)
      : hash(vec3(texel.x, floor(texel.y / 5.0), world.x + world.z));
    c *= 1.0 + (streak - 0.5) * 0.26 * near;
  } else if (style == 8) {
    vec2 at = (normal < 4 ? place.xz : place.xy) * 2.0 + vec2(time * 0.7, time * 0.4);
    float ripple = hash(vec3(floor(at), 1.0) + vec3(corner * 2.0, 0.0));
    c *= 1.0 + (ripple - 0.5) * 0.16 * near;
    alpha = 0.74;
  } else if (style == 9) {
    float edge = step(0.44, max(abs(face.x - 0.5), abs(face.y - 0.5)));
    float gleam = step(0.965, fract((face.x + face.y) * 0.5 + 0.13));
    alpha = mix(0.22 + 0.4 * gleam, 0.85, edge);
  } else {
    float stalk = hash(vec3(floor(part.x * 9.0), world.x, world.z));
    if (part.y > 0.2 + 0.5 * stalk || stalk < 0.3 || abs(part.x - 0.5) > 0.34) discard;
    // What grows has a stem, whatever the colour of its head.
    c = mix(grassColour * 0.8, c, smoothstep(0.12, 0.34, part.y)) * (0.8 + 0.4 * part.y);
  }
  vec3 day = mix(vec3(0.33, 0.36, 0.45), vec3(1.0), light);
  c *= mix(day * shade, vec3(1.06), glow);
  float fog = smoothstep(fogRange.x, fogRange.y, away);
  result = vec4(mix(c, fogColour, fog), alpha);
}`

export const skyVertexShader = `
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

export const skyFragmentShader = `
precision highp float;
in vec3 direction;
uniform vec3 fogColour;
uniform vec3 zenith;
uniform vec3 sun;
uniform vec2 drift;
uniform float clouds;
out vec4 result;
float hash(vec2 p) {
  vec3 q = fract(vec3(p.xyx) * 0.1031);
  q += dot(q, q.yzx + 33.33);
  return fract((q.x + q.y) * q.z);
}
float patchAt(vec2 p) {
  vec2 i = floor(p);
  vec2 f = p - i;
  f = f * f * (3.0 - 2.0 * f);
  return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), f.x), f.y);
}
void main() {
  vec3 d = normalize(direction);
  float up = clamp(d.y, 0.0, 1.0);
  vec3 c = mix(fogColour, zenith, pow(up, 0.55));
  float toSun = max(dot(d, sun), 0.0);
  c += vec3(1.0, 0.85, 0.6) * (0.25 * pow(toSun, 24.0) + 0.9 * smoothstep(0.9987, 0.9990, toSun));
  if (clouds > 0.0 && d.y > 0.03) {
    vec2 at = floor((d.xz / d.y * 90.0 + drift) / 7.0);
    float cover = 0.65 * patchAt(at / 7.0) + 0.35 * patchAt(at / 3.0 + 17.0);
    c = mix(c, vec3(1.0), step(0.64, cover) * 0.55 * smoothstep(0.04, 0.34, d.y));
  }
  result = vec4(c, 1.0);
}`
