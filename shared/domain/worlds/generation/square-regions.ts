import type { ChunkBox, ChunkPos } from '../../../rules/positions.ts'
import type { ChunkStore, WorldRef } from '../store/chunk-store.ts'

const regionColumns = 32

const boundsOf = (rx: number, rz: number, radius: number): ChunkBox => ({
  minCx: Math.max(-radius, rx * regionColumns),
  maxCx: Math.min(radius, rx * regionColumns + regionColumns - 1),
  minCz: Math.max(-radius, rz * regionColumns),
  maxCz: Math.min(radius, rz * regionColumns + regionColumns - 1),
})

/** The square of `radius` columns to each side of column 0,0, in boxes of at most 32×32, ring by ring from the middle. */
export function* squareRegions(radius: number): Generator<ChunkBox, void> {
  const first = Math.floor(-radius / regionColumns)
  const last = Math.floor(radius / regionColumns)
  const rings = Math.max(-first, last)
  for (let ring = 0; ring <= rings; ring += 1)
    for (let rx = 0 - ring; rx <= ring; rx += 1) {
      const step = Math.abs(rx) === ring || ring === 0 ? 1 : ring * 2
      for (let rz = 0 - ring; rz <= ring; rz += step)
        if (rx >= first && rx <= last && rz >= first && rz <= last) yield boundsOf(rx, rz, radius)
    }
}

/** The number of columns in a square around column 0,0. */
export const columnsWithin = (radius: number): number => (2 * radius + 1) ** 2

/** The number of columns in a box. */
export const columnsOf = ({ minCx, maxCx, minCz, maxCz }: ChunkBox): number => (maxCx - minCx + 1) * (maxCz - minCz + 1)

/** The distance of a column from column 0,0. */
export const distanceFromMiddle = ({ cx, cz }: ChunkPos): number => Math.hypot(cx, cz)

/** The columns of a box that are not generated yet, from the middle of the world outwards. */
export const findMissing = async (
  chunks: Pick<ChunkStore, 'discovered'>,
  world: WorldRef,
  box: ChunkBox,
): Promise<readonly ChunkPos[]> => {
  const rows = new Map<number, ReadonlySet<number>>()
  for await (const { cx, czs } of chunks.discovered(world, box)) rows.set(cx, new Set(czs))
  const missing: ChunkPos[] = []
  for (let cx = box.minCx; cx <= box.maxCx; cx += 1)
    for (let cz = box.minCz; cz <= box.maxCz; cz += 1) if (!rows.get(cx)?.has(cz)) missing.push({ cx, cz })
  return missing.sort((a, b) => distanceFromMiddle(a) - distanceFromMiddle(b))
}
