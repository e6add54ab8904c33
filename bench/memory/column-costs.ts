import { createPackedColumns } from '../../realtime/world/columns/packed-columns.ts'
import { catalogue } from '../../shared/domain/configs/catalogue.ts'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { decodeChunk } from '../../shared/domain/worlds/chunks/decode-chunk.ts'
import { encodeChunk } from '../../shared/domain/worlds/chunks/encode-chunk.ts'
import { createGenerator } from '../../shared/domain/worlds/generation/generators.ts'
import { systemClock } from '../../shared/kernel/clock.ts'
import { measureHeap } from './heap-bytes.ts'

/** A square of terrain; argument: its side in columns. */
const side = Number(process.argv[2])
const seed = 20_260_101

const parsed = catalogue['blocks.yaml'].parse({})
if (!parsed.ok) throw new Error('the shipped blocks are not valid')
const registry = registryOf(parsed.value)
const generator = createGenerator({ version: 'terrain-1', seed, settings: {}, registry })
const columns = createPackedColumns(systemClock)

/** Loads a column as a node does: decoded from its record. */
const load = (cx: number, cz: number) => {
  const decoded = decodeChunk(encodeChunk(generator.generate(cx, cz), registry), { cx, cz }, registry)
  if (!decoded.ok) throw new Error(decoded.fault)
  return columns.create(decoded.chunk)
}
const measureCpu = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / side ** 2
}

columns.forget(load(0, 0))
const empty = await measureHeap()
const made = Array.from({ length: side * side }, (_, at) => load(1 + (at % side), Math.floor(at / side)))
const open = await measureHeap()
const packMicros = measureCpu(() => {
  for (let steps = 0; columns.packed() < made.length && steps < 1e5; steps += 1) columns.step()
})
const packedColumns = columns.packed()
const packed = await measureHeap()
const unpackMicros = measureCpu(() => {
  for (const column of made) void column.chunk
})
process.send?.({
  costs: {
    columns: made.length,
    packedColumns,
    openBytes: (open - empty) / made.length,
    packedBytes: (packed - empty) / made.length,
    packMicros,
    unpackMicros,
  },
})
