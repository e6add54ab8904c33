import { describe, expect, it } from '@jest/globals'
import { decodeChunk } from '../../../shared/domain/worlds/chunks/decode-chunk.ts'
import { createMemoryChunkStore } from '../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { systemClock } from '../../../shared/kernel/clock.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { getBlock } from '../../../shared/rules/chunks/chunk.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createFaultyChunkStore } from '../../support/worlds/faulty-chunk-store.ts'
import { createFlatWorld } from '../../support/worlds/flat-world.ts'

describe('the world of a closed node', () => {
  it('has written all queued changes, however slow the store, and writes nothing afterwards', async () => {
    const chunks = createFaultyChunkStore(createMemoryChunkStore())
    const world = createFlatWorld({ store: createMemoryStore(), clock: systemClock, log: silentLog, chunks })
    const { loaded, registry, writer, record } = world
    const pos = { cx: 2, cz: -3 }
    const [x, y, z] = [37, 100, -41]
    loaded.hold(pos, { distanceTo: () => 0 })
    await waitFor(() => {
      loaded.step()
      return loaded.find(pos.cx, pos.cz) !== undefined
    })
    await writer.settle()
    const column = loaded.find(pos.cx, pos.cz)
    if (column === undefined) throw new Error('it was loaded')

    const stone = registry.find('stone')?.index ?? 0
    const release = chunks.hold()
    const writing = (async () => {
      writer.prepareChange([column])
      loaded.setBlock(x, y, z, stone)
      await writer.writeColumns([column])
    })()
    let isClosed = false
    const closing = world.close().then(() => {
      isClosed = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isClosed).toBe(false)
    release()
    await closing
    await writing
    const decoded = decodeChunk((await chunks.get(record, pos)) ?? new Uint8Array(0), pos, registry)
    expect(decoded.ok && getBlock(decoded.chunk, x, y, z)).toBe(stone)
    await expect(writer.writeColumns([column])).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
