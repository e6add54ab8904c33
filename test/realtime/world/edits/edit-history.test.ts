import { expect, it } from '@jest/globals'
import { listChanges } from '../../../../shared/domain/history/find-changes.ts'
import { openHistoryBook } from '../../../../shared/domain/history/history-book.ts'
import { findRestored } from '../../../../shared/domain/worlds/chunks/block-registry.ts'
import { createMemoryChunkStore } from '../../../../shared/domain/worlds/store/chunk-store-memory.ts'
import { createEditFixture } from '../../../support/realtime/edit-fixture.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { testWorld } from '../../../support/worlds/columns-in-memory.ts'
import { createFaultyChunkStore, storageFull } from '../../../support/worlds/faulty-chunk-store.ts'

const open = async () => {
  const chunks = createFaultyChunkStore(createMemoryChunkStore())
  const limits = { enabled: true, days: 30, maxMiB: 1 }
  const history = await openHistoryBook({ chunks, world: testWorld, limits: () => limits, clock: createFixedClock() })
  const fixture = createEditFixture({ writer: { chunks, history } })
  const place = async (x: number, index: number, undoes?: string) => {
    const settled = new Promise<string | undefined>((resolve) =>
      fixture.journal.apply({
        changes: [{ x, y: 64, z: 3, index }],
        by: 'ann',
        via: 'game',
        ...(undoes && { undoes }),
        settled: resolve,
      }),
    )
    await fixture.writer.settle()
    fixture.journal.step()
    return settled
  }
  const kept = async () => (await listChanges(chunks, testWorld, { filter: {}, limit: 100 })).changes
  return { ...fixture, chunks, limits, place, kept }
}

it('keeps the kind of a replaced block that is no longer in `blocks.yaml`', async () => {
  const { place, kept, registry } = await open()
  const marble = registry.intern('marble')
  await place(1, marble)
  await place(1, 0)
  expect((await kept()).map(({ from, to }) => [from, to])).toEqual([
    ['marble', registry.idOf(0)],
    [registry.idOf(0), 'marble'],
  ])
  expect([findRestored(registry, 'marble'), registry.indexOf('marble')]).toEqual([marble, marble])
  // A kind that is new to this process is restored too; the kind of a placeholder is unknown.
  expect(registry.idOf(findRestored(registry, 'basalt') ?? 0)).toBe('basalt')
  expect(findRestored(registry, 'unknown')).toBeUndefined()
})

it('records each durable change with the replaced block, and none without an effect', async () => {
  const { chunks, place, kept, registry, limits, clock, journal, writer } = await open()
  const [air, first] = [registry.typeOf(0).id, registry.typeOf(1).id]
  expect(await place(1, 1)).toBeUndefined()
  expect(await place(1, 1)).toBeUndefined()
  expect(await place(1, 0, 'a-job')).toBeUndefined()
  const there = { x: 1, y: 64, z: 3, by: 'ann', via: 'game' }
  const both = [
    { ...there, from: first, to: air, undoes: 'a-job' },
    { ...there, from: air, to: first },
  ]
  expect(await kept()).toMatchObject(both)

  chunks.failAfterwards = true
  chunks.refuse(storageFull)
  expect(await place(2, 1)).toBe('storage-full')
  chunks.accept()
  clock.advance(2000)
  journal.step()
  await writer.settle()
  journal.step()
  journal.step()
  expect(await kept()).toMatchObject(both)
  limits.enabled = false
  expect(await place(3, 1)).toBeUndefined()
  expect(await kept()).toMatchObject(both)
})
