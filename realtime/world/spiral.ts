import type { ChunkPos } from '../../shared/rules/positions.ts'

/**
 * Columns by distance from the middle, in rings. Each ring goes row by row from its north-west corner. Only every `step`th column
 * and row.
 */
export const spiralOfColumns = function* (radius: number, step = 1): Iterable<ChunkPos> {
  for (let ring = 0; ring * step <= radius; ring += 1)
    for (let z = 0 - ring; z <= ring; z += 1)
      for (let x = 0 - ring; x <= ring; x += Math.abs(z) === ring ? 1 : Math.max(1, 2 * ring))
        yield { cx: x * step, cz: z * step }
}
