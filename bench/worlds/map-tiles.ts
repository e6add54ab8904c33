import { catalogue } from '../../shared/domain/configs/catalogue.ts'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../shared/domain/worlds/chunks/compact-chunk.ts'
import { createGenerator } from '../../shared/domain/worlds/generation/generators.ts'
import { drawTile } from '../../shared/domain/worlds/map/tile-worker.ts'
import type { ChunkRecord } from '../../shared/domain/worlds/store/chunk-store.ts'
import { type Bench, median, round } from '../result.ts'
import { measureWarmTile } from './warm-tile.ts'

const rounds = 15
const warmUpRounds = 5
const targetMs = 40

/**
 * Benchmarks a tile of zoom 0, and the row of columns north of it, from stored records to PNG on one core. It cannot show columns
 * that must be read from a disk first.
 */
export const mapTiles: Bench = {
  name: 'map-tiles',
  run: async () => {
    const parsed = catalogue['blocks.yaml'].parse({})
    if (!parsed.ok) throw new Error('the shipped blocks are not valid')
    const registry = registryOf(parsed.value)
    const generator = createGenerator({ version: 'terrain-1', seed: 20_260_101, settings: {}, registry })
    const columns: ChunkRecord[] = []
    for (let cz = -1; cz < 16; cz += 1)
      for (let cx = 0; cx < 16; cx += 1) columns.push({ cx, cz, bytes: encodeChunk(generator.generate(cx, cz), registry) })
    const times: number[] = []
    for (let at = -warmUpRounds; at < rounds; at += 1) {
      const before = process.cpuUsage()
      drawTile({ tx: 0, tz: 0, cut: 255, blocks: parsed.value, columns })
      const { user, system } = process.cpuUsage(before)
      if (at >= 0) times.push((user + system) / 1000)
    }
    const value = median(times)
    return [
      {
        bench: 'map-tiles',
        figure: 'a tile of 256 stored columns',
        value: round(value, 1),
        unit: 'ms',
        target: `under ${targetMs} ms of one core`,
        met: value < targetMs,
      },
      await measureWarmTile(),
    ]
  },
}
