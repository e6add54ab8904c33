import { chunkKey, isChunkPos } from '../../sdk/world.ts'
import type { IndexEdit, LookTable, MeshAnswer, MeshRequest, PackedSection } from './meshing/mesh-data.ts'

/** The part of Worker that is used. */
export type MeshWorker = {
  postMessage(message: MeshRequest, transfer?: Transferable[]): void
  onmessage: ((event: MessageEvent<MeshAnswer>) => void) | null
  terminate(): void
}

export type MeshPoolOptions = {
  readonly workers: readonly MeshWorker[]
  readonly onMesh: (answer: MeshAnswer) => void
  /** The priority of a column: the lowest first. */
  readonly rank: (cx: number, cz: number) => number
}

/** Meshes columns. Each worker has all columns and meshes the nearest ones first. */
export type MeshPool = {
  /** Removes every column. */
  begin(looks: LookTable): void
  /** Sets new looks, and meshes every column again. */
  learn(looks: LookTable): void
  /** Meshes every column again. */
  remake(): void
  put(cx: number, cz: number, sections: readonly PackedSection[]): void
  drop(cx: number, cz: number): void
  change(edits: readonly IndexEdit[]): void
  /** The number of columns that wait and can be meshed. */
  waiting(): number
  close(): void
}

type Wanted = { readonly cx: number; readonly cz: number; ticket: number; made: number; isUnderWay: boolean; isUrgent: boolean }

/** One running and one queued column, so that a worker is never idle. */
const underWayMax = 2

const around = [-1, 0, 1].flatMap((dz) => [-1, 0, 1].map((dx) => [dx, dz] as const))

export const createMeshPool = ({ workers, onMesh, rank }: MeshPoolOptions): MeshPool => {
  const columns = new Map<number, Wanted>()
  const stale = new Set<Wanted>()
  const busy = workers.map(() => 0)
  const tellAll = (message: MeshRequest): void => {
    for (const worker of workers) worker.postMessage(message)
  }
  /** Columns outside the world never arrive, and count as air. */
  const isThere = (cx: number, cz: number): boolean => columns.has(chunkKey(cx, cz)) || !isChunkPos({ cx, cz })
  /** Waits for all neighbours, or the edge would be meshed twice, with wrong shading. */
  const isComplete = ({ cx, cz }: Wanted): boolean => around.every(([dx, dz]) => isThere(cx + dx, cz + dz))
  const isReady = (wanted: Wanted): boolean => !wanted.isUnderWay && isComplete(wanted)

  const findNext = (): Wanted | undefined => {
    let best: Wanted | undefined
    let least = Number.POSITIVE_INFINITY
    for (const wanted of stale) {
      if (!isReady(wanted)) continue
      const at = wanted.isUrgent ? -1 : rank(wanted.cx, wanted.cz)
      if (at < least) [best, least] = [wanted, at]
    }
    return best
  }
  const pump = (): void => {
    for (;;) {
      const which = busy.indexOf(Math.min(...busy))
      const worker = workers[which]
      const next = worker !== undefined && (busy[which] ?? 0) < underWayMax ? findNext() : undefined
      if (worker === undefined || next === undefined) return
      stale.delete(next)
      next.isUnderWay = true
      next.isUrgent = false
      busy[which] = (busy[which] ?? 0) + 1
      worker.postMessage({ kind: 'mesh', cx: next.cx, cz: next.cz, ticket: next.ticket })
    }
  }
  let isPumpDue = false
  const pumpSoon = (): void => {
    if (isPumpDue) return
    isPumpDue = true
    queueMicrotask(() => {
      isPumpDue = false
      pump()
    })
  }
  /** Never restarts, so that answers from before a reset are recognised as old. */
  let lastTicket = 0
  const nextTicket = (): number => {
    lastTicket += 1
    return lastTicket
  }
  const touch = (cx: number, cz: number, isUrgent: boolean): void => {
    const wanted = columns.get(chunkKey(cx, cz))
    if (wanted === undefined) return
    wanted.ticket = nextTicket()
    wanted.isUrgent ||= isUrgent
    stale.add(wanted)
  }
  workers.forEach((worker, which) => {
    worker.onmessage = ({ data }) => {
      busy[which] = (busy[which] ?? 1) - 1
      const wanted = columns.get(chunkKey(data.cx, data.cz))
      if (wanted !== undefined) {
        wanted.isUnderWay = false
        // A mesh from before the last change is shown until the next.
        if (data.mesh !== undefined && data.ticket >= wanted.made) {
          wanted.made = data.ticket
          onMesh(data)
        }
      }
      pump()
    }
  })
  const touchAll = (): void => {
    for (const { cx, cz } of columns.values()) touch(cx, cz, false)
    pumpSoon()
  }

  return {
    begin: (looks) => {
      columns.clear()
      stale.clear()
      tellAll({ kind: 'looks', looks, isFresh: true })
    },
    learn: (looks) => {
      tellAll({ kind: 'looks', looks, isFresh: false })
      touchAll()
    },
    remake: touchAll,
    put: (cx, cz, sections) => {
      const isNew = !columns.has(chunkKey(cx, cz))
      for (const worker of workers) {
        // A section may be a view of a whole frame, all of which would be copied.
        const own = sections.map(({ y, palette, bits, data }) => ({ y, palette: [...palette], bits, data: data.slice() }))
        worker.postMessage(
          { kind: 'column', cx, cz, sections: own },
          own.map(({ data }) => data.buffer),
        )
      }
      if (isNew) columns.set(chunkKey(cx, cz), { cx, cz, ticket: 0, made: nextTicket(), isUnderWay: false, isUrgent: false })
      // When a column returns, its neighbours have meshes of its previous state.
      for (const [dx, dz] of around) {
        const wanted = columns.get(chunkKey(cx + dx, cz + dz))
        if (wanted !== undefined && !(isNew && stale.has(wanted))) touch(cx + dx, cz + dz, false)
      }
      pumpSoon()
    },
    drop: (cx, cz) => {
      const wanted = columns.get(chunkKey(cx, cz))
      if (wanted !== undefined) stale.delete(wanted)
      columns.delete(chunkKey(cx, cz))
      tellAll({ kind: 'gone', cx, cz })
    },
    change: (edits) => {
      tellAll({ kind: 'edits', edits })
      // Each column once, because thousands of blocks can change together.
      const touched = new Map<number, readonly [cx: number, cz: number]>()
      for (const { x, z } of edits)
        for (const [dx, dz] of around) {
          const [cx, cz] = [Math.floor((x + dx) / 16), Math.floor((z + dz) / 16)]
          touched.set(chunkKey(cx, cz), [cx, cz])
        }
      for (const [cx, cz] of touched.values()) touch(cx, cz, true)
      pumpSoon()
    },
    waiting: () => [...stale].filter(isReady).length,
    close: () => {
      for (const worker of workers) worker.terminate()
    },
  }
}
