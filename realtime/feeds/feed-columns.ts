import type { ChunkPos } from '../../shared/worlds/positions.ts'
import type { ColumnHolder, LoadedWorld } from '../world/loaded-world.ts'

/** Columns that edits of feeds need in memory, of which they hold a bounded number together. */
export type FeedColumns = {
  /** Resolves when all are in memory, to what lets them go again; rejects with AppError when one cannot be loaded. First come, first served. */
  load(columns: readonly ChunkPos[]): Promise<() => void>
}

/** An edit alone may take as many as it needs. */
const heldMax = 2048

/** Behind the views of players. */
const distance = 64

export const createFeedColumns = (loaded: Pick<LoadedWorld, 'load' | 'letGo'>): FeedColumns => {
  let held = 0
  const waiting: { readonly count: number; readonly begin: () => void }[] = []

  const admit = (): void => {
    for (let [next] = waiting; next !== undefined && (held === 0 || held + next.count <= heldMax); [next] = waiting) {
      waiting.shift()
      held += next.count
      next.begin()
    }
  }

  return {
    load: async (columns) => {
      const holder: ColumnHolder = { distanceTo: () => distance }
      const release = (): void => {
        held -= columns.length
        for (const column of columns) loaded.letGo(column, holder)
        admit()
      }
      await new Promise<void>((begin) => {
        waiting.push({ count: columns.length, begin })
        admit()
      })
      const loads = await Promise.allSettled(columns.map((column) => loaded.load(column, holder)))
      const failed = loads.find((load) => load.status === 'rejected')
      if (failed === undefined) return release
      release()
      throw failed.reason
    },
  }
}
