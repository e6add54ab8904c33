/** Bodies in GLSL ES 3, turned by the look, with parts that swing at their joints. */
export const figureVertexShader = `
precision highp float;
in vec3 position;
in vec3 joint;
in vec3 colour;
// The swing with the stride, the nod with the head, and whether the part is shirt.
in vec3 moves;
// Feet from the origin of the mesh, and the turn.
in vec4 place;
// Head pitch, leg phase, and the shirt colour as a number.
in vec3 stance;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 light;
out vec3 paint;
// Read back by a test.
out vec3 placed;
out float away;
void main() {
  float tilt = moves.y * stance.x + moves.x * stance.y;
  float c = cos(tilt);
  float s = sin(tilt);
  vec3 part = joint + vec3(position.x * c - position.y * s, position.x * s + position.y * c, position.z);
  c = cos(place.w);
  s = sin(place.w);
  placed = place.xyz + vec3(c * part.x + s * part.z, part.y, c * part.z - s * part.x);
  vec3 shirt = mod(floor(stance.z / vec3(65536.0, 256.0, 1.0)), 256.0) / 255.0;
  paint = colour * mix(vec3(1.0), shirt, moves.z) * light;
  vec4 seen = modelViewMatrix * vec4(placed, 1.0);
  away = -seen.z;
  gl_Position = projectionMatrix * seen;
}`

export const figureFragmentShader = `
precision highp float;
in vec3 paint;
in float away;
uniform vec3 fogColor;
uniform float fogNear;
uniform float fogFar;
out vec4 result;
void main() {
  result = vec4(mix(paint, fogColor, smoothstep(fogNear, fogFar, away)), 1.0);
}`

/** Name tags that face the camera, each a layer of one texture. */
export const tagVertexShader = `
precision highp float;
in vec2 corner;
// Above the head, from the origin of the mesh, and which layer.
in vec4 place;
// The painted part of the layer's width.
in float width;
uniform mat4 modelViewMatrix;
uniform mat4 projectionMatrix;
uniform vec2 size;
out vec3 texel;
void main() {
  vec4 seen = modelViewMatrix * vec4(place.xyz, 1.0);
  seen.xy += (corner - 0.5) * vec2(size.x * width, size.y);
  texel = vec3(corner.x * width, 1.0 - corner.y, place.w);
  gl_Position = projectionMatrix * seen;
}`

export const tagFragmentShader = `
precision highp float;
precision highp sampler2DArray;
in vec3 texel;
uniform sampler2DArray names;
out vec4 result;
void main() {
  result = texture(names, texel);
}`
