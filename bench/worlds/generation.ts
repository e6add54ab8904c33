import { createRequire } from 'node:module'
import { catalogue } from '../../shared/domain/configs/catalogue.ts'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../shared/domain/worlds/chunks/encode-chunk.ts'
import { createGenerator } from '../../shared/domain/worlds/generation/generators.ts'
import { type Bench, type BenchResult, median, round } from '../result.ts'

const rounds = 9
/** Rounds until the code is compiled. */
const warmUpRounds = 8
/** The side of a square of columns, as requested around a player; each round has new land. */
const side = 12
const seed = 20_260_101
const targetRatio = 10

type MakeColumn = (cx: number, cz: number) => unknown

const require = createRequire(import.meta.url)
// It has no types.
const createDiamondSquare: (options: { version: string; seed: number }) => MakeColumn = require('diamond-square')

/** Columns a second on one core, by processor time, so that other work on the machine does not count. */
const measureRound = (make: MakeColumn, place: number): number => {
  const before = process.cpuUsage()
  for (let cz = 0; cz < side; cz += 1) for (let cx = 0; cx < side; cx += 1) make(place * side * 3 + cx, cz)
  const { user, system } = process.cpuUsage(before)
  return (side * side * 1_000_000) / (user + system)
}

const createMakers = () => {
  const parsed = catalogue['blocks.yaml'].parse({})
  if (!parsed.ok) throw new Error('the shipped blocks are not valid')
  const registry = registryOf(parsed.value)
  const generator = createGenerator({ version: 'terrain-1', seed, settings: {}, registry })
  const sizes: number[] = []
  const encode = (cx: number, cz: number) => sizes.push(encodeChunk(generator.generate(cx, cz), registry).length)
  return { sizes, makers: [generator.generate, encode, createDiamondSquare({ version: '1.12', seed })] }
}

const describeSpeed = (figure: string, perSecond: number, reference: number): BenchResult => ({
  bench: 'generation',
  figure,
  value: round(perSecond, 1),
  unit: 'columns/s',
  reference: { name: 'diamond-square', value: round(reference, 1) },
  ratio: round(perSecond / reference, 2),
})

/**
 * Benchmarks columns of `terrain-1` with caves against npm's `diamond-square` on the same core, in turns. It cannot show other
 * work of a node on the same cores.
 */
export const generation: Bench = {
  name: 'generation',
  run: async () => {
    const { sizes, makers } = createMakers()
    const speeds = makers.map((): number[] => [])
    for (const make of makers) for (let place = -warmUpRounds; place < 0; place += 1) measureRound(make, place)
    for (let place = 0; place < rounds; place += 1)
      for (const [maker, make] of makers.entries()) speeds[maker]?.push(measureRound(make, place))
    const [packed = 0, encoded = 0, reference = 1] = speeds.map(median)
    const size = sizes.reduce((sum, bytes) => sum + bytes, 0) / sizes.length
    return [
      {
        ...describeSpeed('columns generated and packed', packed, reference),
        target: `at least ${targetRatio} times`,
        met: packed / reference >= targetRatio,
      },
      describeSpeed('columns generated, packed and encoded', encoded, reference),
      { bench: 'generation', figure: 'encoded column, mean', value: round(size, 0), unit: 'bytes' },
    ]
  },
}
