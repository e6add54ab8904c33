import { createMeasure, type MeasureDeps } from '../../../platform/metrics/measure-operation.ts'
import type { ChunkStore } from './chunk-store.ts'

/** Measures each operation of `chunks`, except iterations, whose time depends on the consumer. */
export const measureChunkStore = (chunks: ChunkStore, deps: MeasureDeps): ChunkStore => {
  const measure = createMeasure('chunks', deps)
  return {
    get: (world, pos) => measure('get', () => chunks.get(world, pos)),
    getMany: (world, positions) => measure('getMany', () => chunks.getMany(world, positions)),
    putMany: (world, records, fence, beside) => measure('putMany', () => chunks.putMany(world, records, fence, beside)),
    getSide: (world, keys) => measure('getSide', () => chunks.getSide(world, keys)),
    listSide: (world, prefix, page) => measure('listSide', () => chunks.listSide(world, prefix, page)),
    has: (world, pos) => measure('has', () => chunks.has(world, pos)),
    hasMany: (world, positions) => measure('hasMany', () => chunks.hasMany(world, positions)),
    discovered: chunks.discovered,
    stats: (world) => measure('stats', () => chunks.stats(world)),
    setAside: (world, pos, fence) => measure('setAside', () => chunks.setAside(world, pos, fence)),
    listSetAside: chunks.listSetAside,
    close: chunks.close,
  }
}
