import { createMeshPool, type MeshWorker } from '../../../../play/render/mesh-pool.ts'
import { createLooks } from '../../../../play/render/meshing/block-looks.ts'
import type { Terrain } from '../../../../play/render/terrain.ts'
import { type Caller, readZoneBlocks, type ZoneBlock } from '../../../../sdk/admin.ts'
import type { BlockPos } from '../../../../sdk/world.ts'
import type { EditorModel } from '../building/editor-model.ts'
import type { BlockKinds } from './block-kinds.ts'
import { isWithin } from './clip-planes.ts'
import { loadColumns, nameColumn } from './load-columns.ts'
import { createZoneBlocks, type ZoneBlocks } from './zone-blocks.ts'

type Options = {
  readonly model: EditorModel
  readonly kinds: BlockKinds
  readonly terrain: Terrain
  readonly workers: readonly MeshWorker[]
  readonly caller: Caller
  readonly onDrawn: () => void
  /** Called with the first loaded column. */
  readonly onFirst: () => void
}

/** The blocks of a zone around the target: loaded, stored, clipped and meshed. */
export type Land = {
  readonly blocks: ZoneBlocks
  /** Call after blocks change. */
  change(edits: readonly ZoneBlock[]): void
  /** Call when all blocks may have changed. */
  reload(): void
  /** Call after the target moves. */
  move(): void
  /** Call after planes move. */
  cut(): void
  /** Call after new kinds appear. */
  learn(): void
  /** Call after the graphics context is restored. */
  redraw(): void
  close(): void
}

/** Radius in columns around the target. Columns slightly beyond it stay loaded. */
const radius = 8
const keptRadius = 11

const around = [-1, 0, 1].flatMap((dz) => [-1, 0, 1].map((dx) => [dx, dz] as const))

export const openLand = ({ model, kinds, terrain, workers, caller, onDrawn, onFirst }: Options): Land => {
  const blocks = createZoneBlocks()
  /** Columns in the mesher, with the empty ones around the zone. */
  const put = new Set<string>()
  let isFirst = true
  const columns = () => model.zone.peek().chunks
  let own = new Set(columns().map(nameColumn))
  const awayOf = ({ cx, cz }: { readonly cx: number; readonly cz: number }): number => {
    const { x, z } = model.camera.peek().target
    return Math.hypot(cx * 16 + 8 - x, cz * 16 + 8 - z) / 16
  }
  const pool = createMeshPool({
    workers,
    onMesh: ({ cx, cz, mesh }) => {
      if (mesh !== undefined && put.has(nameColumn({ cx, cz }))) terrain.put(cx, cz, mesh)
      onDrawn()
    },
    rank: (cx, cz) => awayOf({ cx, cz }),
  })
  const mesh = (cx: number, cz: number): void => {
    put.add(nameColumn({ cx, cz }))
    pool.put(cx, cz, blocks.pack(cx, cz, model.shown.peek(), kinds.all().length))
  }
  const count = (): void => {
    const wanted = columns().filter((column) => awayOf(column) <= radius)
    const here = wanted.filter(({ cx, cz }) => blocks.has(cx, cz))
    model.loaded.value = { columns: here.length, wanted: wanted.length, blocks: blocks.count() }
  }
  const loader = loadColumns({
    read: ({ cx, cz }, signal) => readZoneBlocks(caller, model.zone.peek().id, { cx, cz, signal }),
    next: (isUnderWay) => {
      const wanted = columns().filter(
        (column) => !blocks.has(column.cx, column.cz) && awayOf(column) <= radius && !isUnderWay(column),
      )
      return wanted.reduce<(typeof wanted)[number] | undefined>(
        (best, column) => (best === undefined || awayOf(column) < awayOf(best) ? column : best),
        undefined,
      )
    },
    take: ({ cx, cz }, listed) => {
      blocks.begin(cx, cz)
      for (const { x, y, z, type } of listed) blocks.set(x, y, z, kinds.indexOf(type))
      mesh(cx, cz)
      for (const [dx, dz] of around) {
        const name = nameColumn({ cx: cx + dx, cz: cz + dz })
        if (!own.has(name) && !put.has(name)) mesh(cx + dx, cz + dz)
      }
      count()
      if (isFirst) onFirst()
      isFirst = false
    },
    noteFault: (error) => {
      model.fault.value = error
    },
  })
  const forget = (cx: number, cz: number): void => {
    blocks.drop(cx, cz)
    pool.drop(cx, cz)
    terrain.drop(cx, cz)
    put.delete(nameColumn({ cx, cz }))
  }
  const indexed = (edits: readonly BlockPos[]) =>
    edits.flatMap(({ x, y, z }) => {
      const index = blocks.at(x, y, z)
      return index === undefined || !isWithin(model.shown.peek(), { x, y, z }) ? [] : [{ x, y, z, index }]
    })
  const start = (): void => {
    own = new Set(columns().map(nameColumn))
    pool.begin(createLooks(kinds.all()))
    const colourOf = (id: string, otherwise: number): number => kinds.all().find((kind) => kind.id === id)?.colour ?? otherwise
    terrain.setColours({ grass: colourOf('grass', 0x5f9e35), stone: colourOf('stone', 0x7d7d7d) })
    count()
  }
  start()
  return {
    blocks,
    change: (edits) => {
      loader.change(edits)
      for (const { x, y, z, type } of edits) blocks.set(x, y, z, kinds.indexOf(type))
      pool.change(indexed(edits))
      count()
    },
    reload: () => {
      for (const name of [...put]) {
        const [cx = 0, cz = 0] = name.split(' ').map(Number)
        forget(cx, cz)
      }
      start()
      loader.restart()
    },
    move: () => {
      for (const column of columns())
        if (blocks.has(column.cx, column.cz) && awayOf(column) > keptRadius) forget(column.cx, column.cz)
      count()
      loader.wake()
    },
    cut: () => {
      for (const { cx, cz } of columns()) if (blocks.has(cx, cz)) mesh(cx, cz)
    },
    learn: () => pool.learn(createLooks(kinds.all())),
    redraw: () => {
      terrain.clear()
      pool.remake()
    },
    close: () => {
      loader.close()
      pool.close()
    },
  }
}
