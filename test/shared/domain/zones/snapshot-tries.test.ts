import { expect, it } from '@jest/globals'
import { snapshotParts } from '../../../../shared/domain/zones/snapshots/snapshot.ts'
import { createZoneSnapshots } from '../../../../shared/domain/zones/snapshots/zone-snapshots.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'

const open = () => {
  const store = createMemoryStore()
  const clock = createFixedClock()
  const snapshots = createZoneSnapshots({ store, clock, ids: systemIds, keptDays: () => 30 })
  const facts = { id: systemIds.uuid(), zone: systemIds.uuid(), name: 'Before', at: '2026-11-26T10:00:00.000Z', by: 'ann' }
  const column = (byte: number) => ({ cx: 0, cz: 0, bytes: new Uint8Array([byte]) })
  const readAll = async () => {
    const listed = []
    for await (const part of snapshots.readParts(await snapshots.get(facts.zone, facts.id))) listed.push(...part)
    return listed.map(({ bytes }) => [...bytes])
  }
  const countParts = async () => (await store.list(snapshotParts)).records.length
  return { snapshots, facts, column, readAll, countParts }
}

it('a paused attempt does not damage a later one', async () => {
  const { snapshots, facts, column, readAll } = open()
  const paused = await snapshots.write(facts)
  await paused.add(column(1), 1)
  const other = await snapshots.write(facts)
  await other.add(column(2), 1)
  expect(await other.finish()).toMatchObject({ id: facts.id, blocks: 1 })
  await expect(paused.finish()).rejects.toMatchObject({ kind: 'conflict' })
  await expect(paused.giveUp()).rejects.toMatchObject({ kind: 'conflict' })
  expect(await readAll()).toEqual([[2]])
})

it('an aborted attempt leaves nothing, and another one begins from scratch', async () => {
  const { snapshots, facts, column, readAll, countParts } = open()
  const failed = await snapshots.write(facts)
  // More than fits in one part.
  await failed.add({ ...column(1), bytes: new Uint8Array(200 * 1024) }, 1)
  await failed.add(column(2), 1)
  expect(await countParts()).toBe(1)
  await failed.giveUp()
  expect([await countParts(), await snapshots.list(facts.zone)]).toEqual([0, []])
  const again = await snapshots.write(facts)
  await again.add(column(3), 1)
  await again.finish()
  expect(await readAll()).toEqual([[3]])
})
