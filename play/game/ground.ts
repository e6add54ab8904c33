import type { BlockEdit, BlockType, Session } from '../../sdk/client.ts'
import type { WatchedWorld } from '../../sdk/world.ts'
import { chunkKey } from '../../sdk/world.ts'
import { createMeshPool, type MeshWorker } from '../render/mesh-pool.ts'
import { createLooks } from '../render/meshing/block-looks.ts'
import type { ColumnMesh } from '../render/meshing/mesh-data.ts'
import type { Terrain } from '../render/terrain.ts'

export type GroundOptions = {
  readonly session: Pick<Session, 'on' | 'welcome'>
  readonly world: Pick<WatchedWorld, 'blocks' | 'mover'>
  readonly terrain: Terrain
  readonly workers: readonly MeshWorker[]
}

/** The drawn land, updated from the events of a session. */
export type Ground = {
  /** Shows blocks before the server answers. */
  show(edits: readonly BlockEdit[]): void
  /** Adds new columns to the scene, as many as one frame can take without a stutter. Call once per frame. */
  settle(): void
  /** Call after the graphics context is restored. */
  redraw(): void
  waiting(): number
  /** The mean meshing time of the last columns. */
  meshMs(): number
  close(): void
}

/** The most columns in memory: those of the largest view. A server that sends more cannot exhaust it. */
const columnsMax = 1_600

/** New surfaces per frame. */
const pictureBytes = 400_000

const colourOf = (kinds: readonly BlockType[], id: string, otherwise: number): number =>
  kinds.find((kind) => kind.id === id)?.colour ?? otherwise

/** Call it after `watchWorld`, which has to see changes first. */
export const createGround = ({ session, world, terrain, workers }: GroundOptions): Ground => {
  const { blocks, mover } = world
  let meshMs = 0
  /** Oldest first. */
  const known = new Map<number, { readonly cx: number; readonly cz: number }>()
  /** The newest mesh of each column that waits for a frame. */
  const arrived = new Map<number, { readonly cx: number; readonly cz: number; readonly mesh: ColumnMesh }>()
  const pool = createMeshPool({
    workers,
    onMesh: ({ cx, cz, mesh, ms }) => {
      meshMs = meshMs === 0 ? ms : meshMs * 0.9 + ms * 0.1
      if (mesh === undefined) return
      // Shows player changes without delay.
      if (terrain.has(cx, cz)) terrain.put(cx, cz, mesh)
      else arrived.set(chunkKey(cx, cz), { cx, cz, mesh })
    },
    rank: (cx, cz) => {
      const { x, z } = mover.position()
      return (cx * 16 + 8 - x) ** 2 + (cz * 16 + 8 - z) ** 2
    },
  })
  const takeColours = (kinds: readonly BlockType[]): void =>
    terrain.setColours({ grass: colourOf(kinds, 'grass', 0x5f9e35), stone: colourOf(kinds, 'stone', 0x7d7d7d) })
  const begin = (kinds: readonly BlockType[]): void => {
    terrain.clear()
    known.clear()
    arrived.clear()
    takeColours(kinds)
    pool.begin(createLooks(kinds))
  }
  const redraw = (edits: readonly BlockEdit[]): void =>
    pool.change(
      edits.flatMap(({ x, y, z }) => {
        const index = blocks.indexAt(x, y, z)
        return index === undefined ? [] : [{ x, y, z, index }]
      }),
    )
  const drop = (cx: number, cz: number): void => {
    known.delete(chunkKey(cx, cz))
    pool.drop(cx, cz)
    terrain.drop(cx, cz)
    arrived.delete(chunkKey(cx, cz))
  }
  begin(session.welcome().blocks)
  const ends = [
    session.on('welcome', ({ blocks: kinds }) => begin(kinds)),
    session.on('chunk', ({ cx, cz, sections }) => {
      pool.put(cx, cz, sections)
      known.delete(chunkKey(cx, cz))
      known.set(chunkKey(cx, cz), { cx, cz })
      const [oldest] = known.values()
      if (known.size > columnsMax && oldest !== undefined) drop(oldest.cx, oldest.cz)
    }),
    session.on('chunkGone', ({ cx, cz }) => drop(cx, cz)),
    session.on('blocksChanged', ({ edits }) => redraw(edits)),
    session.on('blocksRegistry', ({ blocks: kinds }) => {
      takeColours(kinds)
      pool.learn(createLooks(kinds))
    }),
  ]
  return {
    show: (edits) => {
      blocks.change(edits)
      redraw(edits)
    },
    settle: () => {
      let bytes = 0
      for (const [key, { cx, cz, mesh }] of arrived) {
        if (bytes >= pictureBytes) return
        bytes += mesh.solid.byteLength + mesh.clear.byteLength
        arrived.delete(key)
        terrain.put(cx, cz, mesh)
      }
    },
    redraw: () => {
      terrain.clear()
      arrived.clear()
      pool.remake()
    },
    waiting: pool.waiting,
    meshMs: () => meshMs,
    close: () => {
      for (const end of ends) end()
      pool.close()
    },
  }
}
