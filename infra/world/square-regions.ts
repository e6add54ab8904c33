import type { ChunkBox } from '../../shared/worlds/space/positions.ts'

const regionColumns = 32

const boundsOf = (rx: number, rz: number, radius: number): ChunkBox => ({
  minCx: Math.max(-radius, rx * regionColumns),
  maxCx: Math.min(radius, rx * regionColumns + regionColumns - 1),
  minCz: Math.max(-radius, rz * regionColumns),
  maxCz: Math.min(radius, rz * regionColumns + regionColumns - 1),
})

/** The square of `radius` columns each way around column 0,0 in boxes of 32×32 at most, from the middle outwards, ring by ring. */
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
