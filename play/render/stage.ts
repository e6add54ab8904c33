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

/** The camera: position in blocks, and angles in degrees as in the protocol. */
export type Eye = { readonly x: number; readonly y: number; readonly z: number; readonly yaw: number; readonly pitch: number }

/** A scene, a camera and a canvas. */
export type Stage = {
  readonly scene: Scene
  readonly camera: PerspectiveCamera
  /** Reads the size of the canvas. Draws at `scale` of its pixels. */
  resize(scale: number): void
  look(eye: Eye, fieldOfView: number): void
  draw(): void
  /** Copies a canvas into a layer of the same size; does nothing while the graphics context is lost. */
  putLayer(picture: Texture, into: DataArrayTexture, layer: number): void
  /** Compiles the shaders of the scene, in parallel if the browser can. */
  prepare(): Promise<void>
  /** Of the last frame. */
  counts(): { readonly calls: number; readonly triangles: number; readonly geometries: number }
  isLost(): boolean
  /** Callbacks for a lost and restored graphics context. */
  watch(events: StageEvents): void
  dispose(): void
}

export type StageEvents = { readonly onLost: () => void; readonly onRestored: () => void }

/** This browser has no WebGL 2. */
export class NoWebglError extends Error {
  override readonly name = 'NoWebglError'
}

const openContext = (canvas: HTMLCanvasElement): WebGL2RenderingContext | null => {
  try {
    return canvas.getContext('webgl2', { antialias: false, alpha: false, powerPreference: 'high-performance' })
  } catch {
    // Browser extensions that replace it may throw.
    return null
  }
}

/** Whether a stage can open on a canvas. Creates the context that the stage then uses. */
export const canDrawOn = (canvas: HTMLCanvasElement): boolean => openContext(canvas) !== null

const createRenderer = (canvas: HTMLCanvasElement): WebGLRenderer => {
  const context = openContext(canvas)
  if (context === null) throw new NoWebglError()
  const renderer = new WebGLRenderer({ canvas, context })
  // Block colours are screen colours; the shaders do the light.
  ColorManagement.enabled = false
  renderer.outputColorSpace = LinearSRGBColorSpace
  return renderer
}

/** Opens a stage on a canvas. Throws NoWebglError without WebGL 2. */
export const createStage = (canvas: HTMLCanvasElement): Stage => {
  const renderer = createRenderer(canvas)
  const scene = new Scene()
  const camera = new PerspectiveCamera(70, 1, 0.05, 1000)
  camera.rotation.order = 'YXZ'
  let lost = false
  let events: StageEvents = { onLost: () => undefined, onRestored: () => undefined }
  const lose = (event: Event) => {
    // Without this the browser never restores the context.
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
