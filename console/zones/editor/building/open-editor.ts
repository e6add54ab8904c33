import { effect } from '@preact/signals'
import type { MeshWorker } from '../../../../play/render/mesh-pool.ts'
import type { Caller } from '../../../../sdk/admin.ts'
import { type BlockPos, walkRay } from '../../../../sdk/world.ts'
import { tell } from '../../../parts/toasts.tsx'
import { type BlockKinds, createBlockKinds, type ListedKind } from '../scene/block-kinds.ts'
import { eyeOf, rayThrough } from '../scene/camera.ts'
import { isWithin } from '../scene/clip-planes.ts'
import { followZone } from '../scene/follow-zone.ts'
import { type Land, openLand } from '../scene/land.ts'
import { nameColumn } from '../scene/load-columns.ts'
import { createPicture, type View } from '../scene/picture.ts'
import { words } from '../words.ts'
import { type Building, createBuilding } from './building.ts'
import { beginAnew, type EditorModel, isSame, type Target, type Tool, takeZone } from './editor-model.ts'

type Options = {
  readonly model: EditorModel
  readonly canvas: HTMLCanvasElement
  readonly kinds: readonly ListedKind[]
  readonly caller: Caller
  readonly startWorkers: () => readonly MeshWorker[]
}

/** An open zone editor: its feed, picture and tools. */
export type Editor = Building & {
  readonly kinds: BlockKinds
  /** Call after the size of the canvas changes. */
  resize(): void
  /** The block at a point of the screen, in pixels from the top left. */
  findTarget(left: number, top: number): Target | undefined
  typeAt(at: BlockPos): string | undefined
  close(): void
}

/** Farther than the camera moves from its target. */
const rayBlocks = 700

const floorUnder = (from: BlockPos, way: BlockPos, minY: number): BlockPos | undefined => {
  const steps = way.y < 0 ? (minY - from.y) / way.y : -1
  return steps <= 0 ? undefined : { x: Math.floor(from.x + way.x * steps), y: minY, z: Math.floor(from.z + way.z * steps) }
}

/** The block that a click with this tool would change. */
const findChange = (tool: Tool, target: Target | undefined): View['change'] => {
  if (target === undefined) return undefined
  if (tool === 'place') return { at: target.before, kind: 'place' }
  return tool === 'break' && target.block !== undefined ? { at: target.block, kind: 'break' } : undefined
}

/** Opens the editor on a canvas; throws NoWebglError where the browser cannot draw. */
export const openEditor = ({ model, canvas, kinds: listed, caller, startWorkers }: Options): Editor => {
  let land: Land | undefined
  beginAnew(model)
  const picture = createPicture(
    canvas,
    () => ({
      camera: model.camera.peek(),
      bounds: model.shown.peek(),
      marked: building.markedBox(),
      cursor: model.pointed.peek()?.block ?? model.pointed.peek()?.before ?? model.cursor.peek(),
      change: findChange(model.tool.peek(), model.pointed.peek()),
      inside: model.inside.peek().filter(({ position: { x, y, z } }) => isWithin(model.shown.peek(), { x, y, z })),
    }),
    {
      onLost: () => tell(words.editor.contextLost),
      onRestored: () => {
        land?.redraw()
        picture.ask()
      },
    },
  )
  const kinds = createBlockKinds(listed, () => land?.learn())
  const opened = openLand({
    model,
    kinds,
    terrain: picture.terrain,
    caller,
    workers: startWorkers(),
    onDrawn: picture.ask,
    onFirst: () => {
      const { x, z } = model.cursor.peek()
      const top = opened.blocks.findTop(x, z, model.shown.peek().maxY)
      if (top < 0) return
      model.cursor.value = { x, y: top, z }
      model.camera.value = { ...model.camera.peek(), target: { x: x + 0.5, y: top, z: z + 0.5 } }
    },
  })
  land = opened
  let own = new Set(model.zone.peek().chunks.map(nameColumn))
  const isOwn = ({ x, y, z }: BlockPos): boolean => {
    const { yMin, yMax } = model.zone.peek()
    return y >= yMin && y <= yMax && own.has(nameColumn({ cx: Math.floor(x / 16), cz: Math.floor(z / 16) }))
  }
  const typeAt = ({ x, y, z }: BlockPos): string | undefined => {
    const index = opened.blocks.at(x, y, z)
    return index === undefined ? undefined : kinds.idAt(index)
  }
  const feed = followZone({
    id: model.zone.peek().id,
    onZone: (zone, isFresh) => {
      const was = model.zone.peek()
      takeZone(model, zone)
      own = new Set(zone.chunks.map(nameColumn))
      const isElsewhere = !isSame([was.chunks, was.yMin, was.yMax], [zone.chunks, zone.yMin, zone.yMax])
      if (isFresh || isElsewhere) opened.reload()
    },
    onBlocks: opened.change,
    onPlayers: (inside) => {
      model.inside.value = inside
    },
    onTrouble: (trouble) => {
      model.trouble.value = trouble
    },
  })
  const building = createBuilding({ model, typeAt, isOwn, show: opened.change, edit: feed.edit })
  const stops = [
    effect(() => {
      void model.shown.value
      opened.cut()
      picture.ask()
    }),
    effect(() => {
      void model.camera.value.target
      opened.move()
    }),
    effect(() => {
      for (const one of [model.camera, model.cursor, model.pointed, model.tool, model.mark, model.inside]) void one.value
      picture.ask()
    }),
  ]
  const seen = {
    blockAt: (x: number, y: number, z: number) => {
      const isShown = isWithin(model.shown.peek(), { x, y, z })
      return kinds.kindAt(isShown ? (opened.blocks.at(x, y, z) ?? 0) : 0)
    },
  }
  return {
    ...building,
    kinds,
    resize: picture.resize,
    typeAt,
    findTarget: (left, top) => {
      const camera = model.camera.peek()
      const [from, way] = [eyeOf(camera), rayThrough(camera, model.size.peek(), left, top)]
      const hit = walkRay(seen, from, way, rayBlocks)
      if (hit !== undefined) return { block: hit.block, before: hit.before }
      const floor = floorUnder(from, way, model.shown.peek().minY)
      return floor !== undefined && isOwn(floor) ? { before: floor } : undefined
    },
    close: () => {
      for (const stop of stops) stop()
      feed.close()
      opened.close()
      picture.close()
    },
  }
}
