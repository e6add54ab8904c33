import { type Air, createAir } from '../render/air.ts'
import { type Crumbs, createCrumbs } from '../render/crumbs.ts'
import type { MeshWorker } from '../render/mesh-pool.ts'
import { createOutline, type Outline } from '../render/outline.ts'
import { createFigures, type Figures } from '../render/people/figures.ts'
import { createNamePainter } from '../render/people/name-painter.ts'
import { createNameTags, type NameTags } from '../render/people/name-tags.ts'
import { createSky } from '../render/sky.ts'
import { canDrawOn, createStage, type Stage } from '../render/stage.ts'
import { createTerrain, type Terrain } from '../render/terrain.ts'

/** The scene and its mesh workers, on a canvas that is hidden at first. */
export type Scenery = {
  readonly canvas: HTMLCanvasElement
  readonly stage: Stage
  readonly terrain: Terrain
  readonly air: Air
  readonly outline: Outline
  readonly figures: Figures
  readonly crumbs: Crumbs
  readonly tags: NameTags
  readonly workers: readonly MeshWorker[]
}

const createCanvas = (): HTMLCanvasElement => {
  const canvas = document.createElement('canvas')
  canvas.className = 'picture'
  canvas.tabIndex = -1
  return canvas
}

const create = (canvas: HTMLCanvasElement, startWorkers: () => readonly MeshWorker[]): Scenery => {
  const stage = createStage(canvas)
  const { scene } = stage
  const [terrain, outline, figures, tags] = [
    createTerrain(scene),
    createOutline(scene),
    createFigures(scene),
    createNameTags(scene, createNamePainter(stage)),
  ]
  const crumbs = createCrumbs(scene, Math.random)
  const air = createAir({ terrain, figures, crumbs, sky: createSky(scene), scene })
  return { canvas, stage, terrain, air, outline, figures, crumbs, tags, workers: startWorkers() }
}

/**
 * Compiles the shaders during sign-in, in parallel if the browser can. Then draws one pixel with every kind of material, unless the game
 * has begun.
 */
const warm = async ({ stage, terrain, air, outline, figures, tags }: Scenery, hasBegun: () => boolean): Promise<void> => {
  const hideSamples = terrain.showSamples()
  const pose = { x: 3, y: 0, z: 0, yaw: 0, pitch: 0, stride: 0, swing: 0, shirt: 0 }
  figures.draw([pose], pose)
  tags.draw([{ ...pose, playerId: '', displayName: ' ' }], pose)
  outline.show({ x: 3, y: 0, z: 0 })
  air.breathe({ eye: { x: 0, y: 0, z: 0 }, seconds: 0, viewRadius: 4, blockId: '', hour: 12 })
  stage.resize(1)
  stage.look({ x: 0, y: 1, z: 0, yaw: 0, pitch: 0 }, 75)
  await stage.prepare()
  if (!hasBegun()) {
    stage.draw()
    figures.draw([], pose)
    tags.draw([], pose)
    outline.show(undefined)
  }
  hideSamples()
}

/** Created once: for the game, or earlier when the page is idle. */
export type PreparedScenery = {
  /** Whether this browser can draw the game, checked on each call until it can. May take as long as a frame. */
  canDraw(): boolean
  /** The first check, after the sign-in page is visible. */
  readonly firstTry: Promise<boolean>
  /** Resolves when a check succeeds. */
  readonly drawable: Promise<void>
  /** For the game. Throws NoWebglError without WebGL 2. */
  take(): Scenery
}

export const prepareScenery = (startWorkers: () => readonly MeshWorker[]): PreparedScenery => {
  let made: Scenery | undefined
  let isTaken = false
  // A canvas that once got no context never gets one.
  let canvas: HTMLCanvasElement | undefined
  let tellDrawable = (): void => undefined
  const drawable = new Promise<void>((resolve) => {
    tellDrawable = resolve
  })
  const canDraw = (): boolean => {
    const tried = canvas ?? createCanvas()
    canvas = canDrawOn(tried) ? tried : undefined
    if (canvas !== undefined) tellDrawable()
    return canvas !== undefined
  }
  const make = (): Scenery => {
    made ??= create(canvas ?? createCanvas(), startWorkers)
    return made
  }
  const begin = (): void => {
    if (isTaken || canvas === undefined) return
    try {
      // Opening the game reports the failure.
      warm(make(), () => isTaken).catch(() => undefined)
    } catch {
      made = undefined
    }
  }
  const firstTry = new Promise<boolean>((resolve) => {
    const tryFirst = (): void => {
      resolve(canDraw())
      // Runs after the callers that wait for the answer.
      setTimeout(begin)
    }
    // A hidden tab has no animation frames.
    if (document.visibilityState === 'hidden') setTimeout(tryFirst)
    else requestAnimationFrame(() => setTimeout(tryFirst))
  })
  return {
    canDraw,
    firstTry,
    drawable,
    take: () => {
      isTaken = true
      return make()
    },
  }
}
