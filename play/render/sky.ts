import { BackSide, BoxGeometry, Color, GLSL3, Mesh, RawShaderMaterial, type Scene, Vector2, Vector3 } from 'three'
import { skyFragmentShader, skyVertexShader } from './terrain-shader.ts'

/** What is behind everything: the colour of the air, a sun, clouds that drift. */
export type Sky = {
  setColours(horizon: number, zenith: number, hasClouds: boolean): void
  /** Clouds stay where they are while the eye moves. */
  move(x: number, z: number, seconds: number): void
}

export const createSky = (scene: Scene): Sky => {
  const uniforms = {
    fogColour: { value: new Color() },
    zenith: { value: new Color() },
    sun: { value: new Vector3(0.45, 0.62, 0.36).normalize() },
    drift: { value: new Vector2() },
    clouds: { value: 1 },
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
  // After the ground, so that nothing is painted twice.
  mesh.renderOrder = 0.5
  scene.add(mesh)
  return {
    setColours: (horizon, zenith, hasClouds) => {
      uniforms.fogColour.value.setHex(horizon)
      uniforms.zenith.value.setHex(zenith)
      uniforms.clouds.value = hasClouds ? 1 : 0
    },
    move: (x, z, seconds) => uniforms.drift.value.set((x % 40_000) + seconds * 1.5, z % 40_000),
  }
}
