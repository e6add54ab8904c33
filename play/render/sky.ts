import { BackSide, BoxGeometry, Color, GLSL3, Mesh, RawShaderMaterial, type Scene, Vector2, Vector3 } from 'three'
import type { Daylight, Light } from './daylight.ts'
import { skyFragmentShader, skyVertexShader } from './sky-shader.ts'

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
