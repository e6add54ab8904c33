import { tileColumns } from '../../../shared/domain/worlds/map/tile-grid.ts'
import { type ChunkPos, chunkKey } from '../../../shared/rules/positions.ts'

type GroundTile = { readonly tx: number; readonly tz: number }

/** Map tiles of zoom 0 with stored columns. */
export type StoredTiles = {
  note(columns: readonly ChunkPos[]): void
  /** The next tiles, oldest first. `any` if there were too many, undefined if there are none. */
  take(): readonly GroundTile[] | 'any' | undefined
}

const takenMax = 256
const waitingMax = 16_384

export const createStoredTiles = (): StoredTiles => {
  const waiting = new Map<number, GroundTile>()
  let areTooMany = false

  const add = (tx: number, tz: number): void => {
    const key = chunkKey(tx, tz)
    if (waiting.size < waitingMax) waiting.set(key, { tx, tz })
    else if (!waiting.has(key)) areTooMany = true
  }

  return {
    note: (columns) => {
      for (const { cx, cz } of columns) {
        const tx = Math.floor(cx / tileColumns)
        add(tx, Math.floor(cz / tileColumns))
        // The heights of the last row shade the first row of the tile to the south.
        if ((cz + 1) % tileColumns === 0) add(tx, (cz + 1) / tileColumns)
      }
    },
    take: () => {
      if (areTooMany) {
        areTooMany = false
        waiting.clear()
        return 'any'
      }
      if (waiting.size === 0) return undefined
      const taken = [...waiting].slice(0, takenMax)
      for (const [key] of taken) waiting.delete(key)
      return taken.map(([, tile]) => tile)
    },
  }
}
