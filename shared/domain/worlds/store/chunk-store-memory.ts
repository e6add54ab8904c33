import { type ChunkBox, type ChunkPos, chunkKey, chunkPosOf, isChunkPos } from '../../../rules/positions.ts'
import type { ChunkRecord, ChunkStore, DiscoveredRow, WorldRef } from './chunk-store.ts'
import {
  checkChunkPos,
  checkFence,
  checkPutMany,
  checkWorld,
  clipBox,
  foreignWorld,
  leaseLost,
  storeClosed,
} from './chunk-store-rules.ts'

type World = {
  readonly id: string
  readonly columns: Map<number, Uint8Array>
  readonly setAside: ChunkRecord[]
  readonly side: Map<string, Uint8Array>
  fence: number
}

const rowsOf = function* (world: World | undefined, box: ChunkBox): Generator<DiscoveredRow> {
  const keys = Float64Array.from(world?.columns.keys() ?? []).sort()
  let row: { cx: number; czs: number[] } | undefined
  for (const key of keys) {
    const { cx, cz } = chunkPosOf(key)
    if (cx < box.minCx || cx > box.maxCx || cz < box.minCz || cz > box.maxCz) continue
    if (row !== undefined && row.cx !== cx) yield { cx: row.cx, czs: Int32Array.from(row.czs) }
    if (row?.cx !== cx) row = { cx, czs: [] }
    row.czs.push(cz)
  }
  if (row !== undefined) yield { cx: row.cx, czs: Int32Array.from(row.czs) }
}

/** A ChunkStore in memory, for tests and test games; `discovered` sorts all columns. */
export const createMemoryChunkStore = (): ChunkStore => {
  const worlds = new Map<string, World>()
  let closed = false

  const findWorld = (ref: WorldRef): World | undefined => {
    if (closed) throw storeClosed()
    checkWorld(ref)
    const world = worlds.get(ref.name)
    if (world !== undefined && world.id !== ref.id) throw foreignWorld(ref)
    return world
  }

  /** Opens a world for a write with `fence`; throws if the fence is too old. */
  const enter = (ref: WorldRef, fence: number): World => {
    const world = findWorld(ref) ?? { id: ref.id, columns: new Map(), setAside: [], side: new Map(), fence }
    if (fence < world.fence) throw leaseLost()
    world.fence = fence
    worlds.set(ref.name, world)
    return world
  }

  const read = (world: World | undefined, pos: ChunkPos): Uint8Array | undefined => {
    const bytes = isChunkPos(pos) ? world?.columns.get(chunkKey(pos.cx, pos.cz)) : undefined
    return bytes && Uint8Array.from(bytes)
  }

  const isThere = (world: World | undefined, pos: ChunkPos): boolean =>
    isChunkPos(pos) && (world?.columns.has(chunkKey(pos.cx, pos.cz)) ?? false)

  const store: ChunkStore = {
    get: async (ref, pos) => read(findWorld(ref), pos),
    getMany: async (ref, positions) => {
      const world = findWorld(ref)
      return positions.map((pos) => read(world, pos))
    },
    putMany: async (ref, records, fence, beside = []) => {
      checkPutMany(records, fence)
      const { columns, side } = enter(ref, fence)
      for (const { cx, cz, bytes } of records) columns.set(chunkKey(cx, cz), Uint8Array.from(bytes))
      for (const { key, bytes } of beside)
        if (bytes === undefined) side.delete(key)
        else side.set(key, Uint8Array.from(bytes))
    },
    getSide: async (ref, keys) => {
      const world = findWorld(ref)
      return keys.map((key) => world?.side.get(key))
    },
    listSide: async (ref, prefix, { after = '', limit = Number.POSITIVE_INFINITY } = {}) => {
      const found = [...(findWorld(ref)?.side ?? [])].filter(([key]) => key.startsWith(prefix) && key > after)
      const sorted = found.sort(([one], [other]) => (one < other ? -1 : 1))
      return sorted.slice(0, limit).map(([key, bytes]) => ({ key, bytes }))
    },
    has: async (ref, pos) => isThere(findWorld(ref), pos),
    hasMany: async (ref, positions) => {
      const world = findWorld(ref)
      return positions.map((pos) => isThere(world, pos))
    },
    discovered: async function* (ref, box) {
      yield* rowsOf(findWorld(ref), clipBox(box))
    },
    stats: async (ref) => {
      const world = findWorld(ref)
      const kept = world === undefined ? [] : [...world.columns.values(), ...world.setAside.map(({ bytes }) => bytes)]
      return { chunkCount: world?.columns.size ?? 0, sizeBytes: kept.reduce((sum, { length }) => sum + length, 0) }
    },
    setAside: async (ref, pos, fence) => {
      checkFence(fence)
      checkChunkPos(pos)
      const world = enter(ref, fence)
      const key = chunkKey(pos.cx, pos.cz)
      const bytes = world.columns.get(key)
      if (bytes === undefined) return
      world.columns.delete(key)
      world.setAside.push({ cx: pos.cx, cz: pos.cz, bytes })
    },
    listSetAside: async function* (ref) {
      for (const { cx, cz, bytes } of findWorld(ref)?.setAside ?? []) yield { cx, cz, bytes: Uint8Array.from(bytes) }
    },
    close: async () => {
      closed = true
      worlds.clear()
    },
  }
  return store
}
