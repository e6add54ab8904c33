import { tileColumns } from '../../../shared/domain/worlds/map/tile-places.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'

type GroundTile = { readonly tx: number; readonly tz: number }

/** Tiles of the map at zoom 0 of which columns were stored. */
export type StoredTiles = {
  note(columns: readonly ChunkPos[]): void
  /** The next of them, oldest first; `any` where they were too many to be named, undefined where there are none. */
  take(): readonly GroundTile[] | 'any' | undefined
}

const takenMax = 256
const waitingMax = 16_384

export const createStoredTiles = (): StoredTiles => {
  const waiting = new Map<string, GroundTile>()
  let areTooMany = false

  const add = (tx: number, tz: number): void => {
    const key = `${tx},${tz}`
    if (waiting.size < waitingMax) waiting.set(key, { tx, tz })
    else if (!waiting.has(key)) areTooMany = true
  }

  return {
    note: (columns) => {
      for (const { cx, cz } of columns) {
        const tx = Math.floor(cx / tileColumns)
        add(tx, Math.floor(cz / tileColumns))
        // The heights of its last row shade the first of the tile to the south.
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
