/** One program for all terrain, in GLSL ES 3. Vertices are as in `ColumnMesh`; colours and light are in screen space. */
export const terrainVertexShader = `
precision highp float;
precision highp int;
in uvec2 packed;
uniform mat4 modelMatrix;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform float time;
uniform float sides[7];
uniform vec3 cameraPosition;
out vec3 ray;
out vec3 place;
out vec3 colour;
out float shade;
out float light;
out float away;
flat out int normal;
flat out int style;
flat out float glow;
flat out vec2 corner;
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
  // The wavelength divides 16, so that columns meet.
  if (((a >> 27) & 1u) == 1u)
    moved.y -= 0.13 + 0.035 * sin(place.x * 0.7853982 + time * 1.1) + 0.035 * sin(place.z * 0.3926991 + place.x * 0.3926991 + time * 0.8);
  ray = (modelMatrix * vec4(moved, 1.0)).xyz - cameraPosition;
  vec4 seen = modelViewMatrix * vec4(moved, 1.0);
  away = length(seen.xyz);
  gl_Position = projectionMatrix * seen;
}`

export const terrainFragmentShader = `
precision highp float;
precision highp int;
in vec3 ray;
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
uniform vec3 skyLight;
uniform vec3 caveLight;
uniform vec3 sun;
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
  float mirror = 0.0;
  float glint = 0.0;
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
    // Bands of light on eighths of a block. Towards the horizon the water reflects the sky, and the sun in places.
    // The bands run down the sides too.
    vec2 over = place.xz + corner;
    vec2 at = floor((normal == 2 || normal == 3 ? over : vec2(normal < 2 ? over.y : over.x, place.y + time * 0.7)) * 8.0) / 8.0;
    // Whole waves fit into the 4,096 blocks after which coordinates wrap.
    float wave = sin(at.x * 1.303884 + time * 1.1 + sin(at.y * 0.699495)) + sin(at.y * 1.900607 - time * 0.9 + at.x * 0.799205);
    c *= 1.0 + 0.055 * wave * near;
    alpha = 0.74;
    if (normal == 2) {
      vec3 towards = normalize(ray);
      float slant = 1.0 - min(1.0, abs(towards.y));
      vec3 tilt = vec3(sin(at.x * 2.100025 + time * 1.7), 0.0, sin(at.y * 2.699806 - time * 1.3)) * 0.06;
      vec3 mirrored = reflect(towards, normalize(vec3(0.0, 1.0, 0.0) + tilt));
      vec3 shining = sun.y < 0.0 ? -sun : sun;
      glint = pow(max(dot(mirrored, shining), 0.0), 90.0) * light;
      mirror = 0.65 * slant * slant * slant * light;
    }
  } else if (style == 9) {
    float edge = step(0.44, max(abs(face.x - 0.5), abs(face.y - 0.5)));
    float gleam = step(0.965, fract((face.x + face.y) * 0.5 + 0.13));
    alpha = mix(0.22 + 0.4 * gleam, 0.85, edge);
  } else {
    float stalk = hash(vec3(floor(part.x * 9.0), world.x, world.z));
    if (part.y > 0.2 + 0.5 * stalk || stalk < 0.3 || abs(part.x - 0.5) > 0.34) discard;
    // Plants have a green stem, whatever the colour of the head.
    c = mix(grassColour * 0.8, c, smoothstep(0.12, 0.34, part.y)) * (0.8 + 0.4 * part.y);
  }
  vec3 day = mix(caveLight, skyLight, light);
  c *= mix(day * shade, vec3(1.06), glow);
  c = mix(c, fogColour, mirror) + skyLight * glint * 0.7;
  alpha = min(1.0, alpha + mirror * 0.3 + glint);
  float fog = smoothstep(fogRange.x, fogRange.y, away);
  result = vec4(mix(c, fogColour, fog), alpha);
}`
