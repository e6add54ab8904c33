import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { snapshotParts } from '../../../../../shared/domain/zones/snapshots/snapshot.ts'
import { createZoneSnapshots } from '../../../../../shared/domain/zones/snapshots/zone-snapshots.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createDynamoStore } from '../../../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { describeStore } from '../../../../contracts/store-contract.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../../../support/dynamodb/dynamodb.ts'
import { createFixedClock } from '../../../../support/time/fixed-clock.ts'

describeDynamo('on DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())

  describeStore('in DynamoDB', async () => {
    const dynamo = await openDynamo(server.endpoint)
    const store = createDynamoStore({ dynamo, ids: systemIds })
    return {
      store,
      dispose: async () => {
        await store.close()
        dynamo.close()
      },
    }
  })

  it('keeps and deletes a snapshot of a zone with parts of the maximum size', async () => {
    const dynamo = await openDynamo(server.endpoint)
    const store = createDynamoStore({ dynamo, ids: systemIds })
    const snapshots = createZoneSnapshots({ store, clock: createFixedClock(), ids: systemIds, keptDays: () => 1 })
    const facts = { id: systemIds.uuid(), zone: systemIds.uuid(), name: 'Large', at: '2026-11-20T00:00:00.000Z', by: 'ann' }
    // Random bytes do not compress.
    const columns = [0, 1, 2].map((cx) => ({ cx, cz: cx, bytes: randomBytes(190 * 1024) }))
    const writer = await snapshots.write(facts)
    for (const column of columns) await writer.add(column, 7)
    await expect(snapshots.get(facts.zone, facts.id)).rejects.toMatchObject({ kind: 'not-found' })
    expect(await writer.finish()).toMatchObject({ id: facts.id, blocks: 21 })
    const read: unknown[] = []
    for await (const part of snapshots.readParts(await snapshots.get(facts.zone, facts.id))) read.push(...part)
    expect(read).toEqual(columns)
    await snapshots.remove({ email: 'boss', via: 'http', requestId: 'r' }, facts.zone, facts.id)
    expect(await snapshots.list(facts.zone)).toEqual([])
    expect((await store.list(snapshotParts, { prefix: facts.zone })).records).toEqual([])
    await store.close()
    dynamo.close()
  })
})
