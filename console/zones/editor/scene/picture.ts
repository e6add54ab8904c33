import { daylightAt } from '../../../../play/render/daylight.ts'
import { type BlockSpan, createFrame } from '../../../../play/render/frame.ts'
import { createOutline } from '../../../../play/render/outline.ts'
import { colourOfPlayer, createFigures } from '../../../../play/render/people/figures.ts'
import { createNamePainter } from '../../../../play/render/people/name-painter.ts'
import { createNameTags } from '../../../../play/render/people/name-tags.ts'
import { createSky } from '../../../../play/render/sky.ts'
import { createStage, type StageEvents } from '../../../../play/render/stage.ts'
import { createTerrain, type Terrain } from '../../../../play/render/terrain.ts'
import type { BlockPos } from '../../../../sdk/world.ts'
import { type Camera, eyeOf, fieldOfView } from './camera.ts'
import type { Inside } from './follow-zone.ts'

/** Objects in the picture besides the blocks. */
export type View = {
  readonly camera: Camera
  readonly bounds: BlockSpan
  readonly marked: BlockSpan | undefined
  readonly cursor: BlockPos | undefined
  /** What a click would change. */
  readonly change: { readonly at: BlockPos; readonly kind: 'place' | 'break' } | undefined
  readonly inside: readonly Inside[]
}

/** The 3D picture of a zone, drawn on request and at most once per animation frame. */
export type Picture = {
  readonly terrain: Terrain
  /** Reads the size of the canvas. */
  resize(): void
  ask(): void
  close(): void
}

const noon = daylightAt(12.5)
const boundsColour = 0xf2b134
const markColour = 0xd6336c
const changeColours = { place: 0x2fbf71, break: 0xe5484d } as const
/** Beyond everything that is drawn. */
const noFog = 1_000_000

const spanOf = ({ x, y, z }: BlockPos): BlockSpan => ({ minX: x, minY: y, minZ: z, maxX: x, maxY: y, maxZ: z })

/** Throws NoWebglError without WebGL 2. */
export const createPicture = (canvas: HTMLCanvasElement, view: () => View, events: StageEvents): Picture => {
  const stage = createStage(canvas)
  const { scene } = stage
  const terrain = createTerrain(scene)
  const [bounds, marked, outline] = [createFrame(scene, boundsColour), createFrame(scene, markColour), createOutline(scene)]
  const changes = { place: createFrame(scene, changeColours.place, 1), break: createFrame(scene, changeColours.break, 1) }
  const [figures, tags, sky] = [createFigures(scene), createNameTags(scene, createNamePainter(stage)), createSky(scene)]
  terrain.setFog(noFog, noFog * 2, noon.horizon)
  terrain.setLight(noon)
  terrain.setTime(0)
  figures.setLight(noon.sky)
  sky.show(noon)
  stage.watch({
    onLost: events.onLost,
    onRestored: () => {
      tags.repaint()
      events.onRestored()
    },
  })
  let asked = 0
  const draw = (): void => {
    asked = 0
    const { camera, bounds: box, marked: span, cursor, change, inside } = view()
    const eye = eyeOf(camera)
    bounds.show(box)
    marked.show(span)
    outline.show(change === undefined ? cursor : undefined)
    for (const kind of ['place', 'break'] as const) changes[kind].show(change?.kind === kind ? spanOf(change.at) : undefined)
    const poses = inside.map(({ playerId, displayName, position: { x, y, z } }) => ({
      playerId,
      displayName,
      x,
      y,
      z,
      yaw: 0,
      pitch: 0,
      stride: 0,
      swing: 0,
      shirt: colourOfPlayer(playerId),
    }))
    figures.draw(poses, eye)
    // Names near the target, at any distance of the camera.
    const areNamesThere = tags.draw(poses, eye, camera.target)
    sky.move(eye.x, eye.z, 0)
    stage.look(eye, fieldOfView)
    stage.draw()
    if (!areNamesThere) ask()
  }
  const ask = (): void => {
    asked ||= requestAnimationFrame(draw)
  }
  return {
    terrain,
    resize: () => {
      stage.resize(Math.min(devicePixelRatio, 2))
      ask()
    },
    ask,
    close: () => {
      cancelAnimationFrame(asked)
      stage.dispose()
    },
  }
}
