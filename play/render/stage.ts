import {
  ColorManagement,
  type DataArrayTexture,
  LinearSRGBColorSpace,
  PerspectiveCamera,
  Scene,
  type Texture,
  Vector3,
  WebGLRenderer,
} from 'three'

/** Where the eye is and looks: blocks, and degrees as the server has them. */
export type Eye = { readonly x: number; readonly y: number; readonly z: number; readonly yaw: number; readonly pitch: number }

/** The picture: a scene, an eye, and the surface that is drawn on. */
export type Stage = {
  readonly scene: Scene
  readonly camera: PerspectiveCamera
  /** Takes the size of the canvas on the page; `scale` of its pixels are drawn. */
  resize(scale: number): void
  look(eye: Eye, fieldOfView: number): void
  draw(): void
  /** Copies what a canvas shows into a layer, as large as it; nothing while the graphics card is away. */
  putLayer(picture: Texture, into: DataArrayTexture, layer: number): void
  /** Makes the shaders of all that is in the scene, beside the page where the browser can. */
  prepare(): Promise<void>
  /** Of the last picture. */
  counts(): { readonly calls: number; readonly triangles: number; readonly geometries: number }
  isLost(): boolean
  /** Who is told when the graphics card goes away and comes back. */
  watch(events: StageEvents): void
  dispose(): void
}

export type StageEvents = { readonly onLost: () => void; readonly onRestored: () => void }

/** There is no WebGL 2 here. */
export class NoWebglError extends Error {
  override readonly name = 'NoWebglError'
}

const openContext = (canvas: HTMLCanvasElement): WebGL2RenderingContext | null => {
  try {
    return canvas.getContext('webgl2', { antialias: false, alpha: false, powerPreference: 'high-performance' })
  } catch {
    // Extensions that stand in for it may throw.
    return null
  }
}

/** Whether a stage can be opened on a canvas; the context that this makes is the one that it draws with. */
export const canDrawOn = (canvas: HTMLCanvasElement): boolean => openContext(canvas) !== null

const createRenderer = (canvas: HTMLCanvasElement): WebGLRenderer => {
  const context = openContext(canvas)
  if (context === null) throw new NoWebglError()
  const renderer = new WebGLRenderer({ canvas, context })
  // Colours of blocks are meant as they are written; the shaders do the light.
  ColorManagement.enabled = false
  renderer.outputColorSpace = LinearSRGBColorSpace
  return renderer
}

/** Opens a stage on a canvas; throws NoWebglError where the browser cannot. */
export const createStage = (canvas: HTMLCanvasElement): Stage => {
  const renderer = createRenderer(canvas)
  const scene = new Scene()
  const camera = new PerspectiveCamera(70, 1, 0.05, 1000)
  camera.rotation.order = 'YXZ'
  let lost = false
  let events: StageEvents = { onLost: () => undefined, onRestored: () => undefined }
  const lose = (event: Event) => {
    // Without this the browser never gives the context back.
    event.preventDefault()
    lost = true
    events.onLost()
  }
  const restore = () => {
    lost = false
    events.onRestored()
  }
  canvas.addEventListener('webglcontextlost', lose)
  canvas.addEventListener('webglcontextrestored', restore)
  return {
    scene,
    camera,
    resize: (scale) => {
      const { clientWidth, clientHeight } = canvas
      renderer.setPixelRatio(scale)
      renderer.setSize(Math.max(1, clientWidth), Math.max(1, clientHeight), false)
      camera.aspect = Math.max(1, clientWidth) / Math.max(1, clientHeight)
      camera.updateProjectionMatrix()
    },
    look: ({ x, y, z, yaw, pitch }, fieldOfView) => {
      camera.position.set(x, y, z)
      camera.rotation.set((pitch * Math.PI) / 180, -(yaw * Math.PI) / 180 - Math.PI / 2, 0)
      if (camera.fov !== fieldOfView) {
        camera.fov = fieldOfView
        camera.updateProjectionMatrix()
      }
    },
    draw: () => {
      if (!lost) renderer.render(scene, camera)
    },
    putLayer: (picture, into, layer) => {
      if (!lost) renderer.copyTextureToTexture(picture, into, null, new Vector3(0, 0, layer))
    },
    prepare: async () => void (await renderer.compileAsync(scene, camera)),
    counts: () => {
      const { calls, triangles } = renderer.info.render
      return { calls, triangles, geometries: renderer.info.memory.geometries }
    },
    isLost: () => lost,
    watch: (wanted) => {
      events = wanted
    },
    dispose: () => {
      canvas.removeEventListener('webglcontextlost', lose)
      canvas.removeEventListener('webglcontextrestored', restore)
      renderer.dispose()
    },
  }
}
