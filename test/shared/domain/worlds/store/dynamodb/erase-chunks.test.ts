import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { WorldRef } from '../../../../../../shared/domain/worlds/store/chunk-store.ts'
import { createDynamoChunkStore } from '../../../../../../shared/domain/worlds/store/dynamodb/chunk-store-dynamodb.ts'
import { eraseChunks } from '../../../../../../shared/domain/worlds/store/dynamodb/erase-chunks.ts'
import { systemIds } from '../../../../../../shared/kernel/ids.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../../../../support/dynamodb/dynamodb.ts'

describeDynamo('an erased world', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())

  it('leaves nothing for a new world of its name, not even columns set aside', async () => {
    const dynamo = await openDynamo(server.endpoint)
    const store = createDynamoChunkStore({ dynamo, ids: systemIds })
    const [old, next] = [systemIds.uuid(), systemIds.uuid()].map((id) => ({ name: 'north', id })) as [WorldRef, WorldRef]
    const at = { cx: 3, cz: -4 }
    const bytes = new Uint8Array([1, 2, 3])
    for (let write = 0; write < 5; write += 1) await store.putMany(old, [{ ...at, bytes }], 1)
    await store.setAside(old, at, 1)
    await eraseChunks(dynamo, old)

    // Enough columns for a batch.
    const columns = Array.from({ length: 12 }, (_, n) => ({ cx: at.cx + n, cz: at.cz, bytes }))
    const fresh = createDynamoChunkStore({ dynamo, ids: systemIds })
    await fresh.putMany(next, columns, 1)
    expect(await fresh.get(next, at)).toEqual(bytes)
    await fresh.putMany(next, columns, 1)
    expect(await fresh.stats(next)).toMatchObject({ chunkCount: 12 })
    await fresh.close()
    await store.close()
    dynamo.close()
  })
})
