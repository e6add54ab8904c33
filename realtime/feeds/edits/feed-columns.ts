import type { ChunkPos } from '../../../shared/worlds/space/positions.ts'
import type { ColumnHolder, LoadedWorld } from '../../world/columns/loaded-world.ts'

/** Behind the views of players. */
const distance = 64

/** Resolves when all columns are in memory, to what lets them go again; rejects with AppError when one cannot be loaded. */
export const loadColumns = async (
  loaded: Pick<LoadedWorld, 'load' | 'letGo'>,
  columns: readonly ChunkPos[],
): Promise<() => void> => {
  const holder: ColumnHolder = { distanceTo: () => distance }
  const release = (): void => {
    for (const column of columns) loaded.letGo(column, holder)
  }
  const loads = await Promise.allSettled(columns.map((column) => loaded.load(column, holder)))
  const failed = loads.find((load) => load.status === 'rejected')
  if (failed === undefined) return release
  release()
  throw failed.reason
}
