import { randomBytes } from 'node:crypto'
import { BatchGetItemCommand, type DynamoDBClient, QueryCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import type { ChunkRecord, ChunkStore } from '../../../../../../shared/domain/worlds/store/chunk-store.ts'
import { createDynamoChunkStore } from '../../../../../../shared/domain/worlds/store/dynamodb/chunk-store-dynamodb.ts'
import { otherBatchRanges } from '../../../../../../shared/domain/worlds/store/dynamodb/keys.ts'
import { systemIds } from '../../../../../../shared/kernel/ids.ts'
import { queryItems } from '../../../../../../shared/platform/storage/dynamodb/dynamodb-calls.ts'
import type { Dynamo } from '../../../../../../shared/platform/storage/dynamodb/dynamodb-client.ts'
import {
  createTestTarget,
  type DynamoServer,
  describeDynamo,
  openDynamo,
  openDynamoForTests,
} from '../../../../../support/dynamodb/dynamodb.ts'
import { type DynamoProxy, startDynamoProxy } from '../../../../../support/dynamodb/dynamodb-proxy.ts'
import { waitFor } from '../../../../../support/time/wait-for.ts'

const world = { name: 'overworld', id: '5f0e6a9c-3a4b-4f5e-9a61-2f4f3c1f7d10' }
const throttled = (count: number) => Array<'ThrottlingException'>(count).fill('ThrottlingException')

/** Columns across two regions, more than fit in one transaction. */
const columnsOf = (text: string, count = 30): ChunkRecord[] =>
  Array.from({ length: count }, (_, n) => ({ cx: n + 10, cz: 0, bytes: Buffer.from(`${text} ${n}`) }))
const noiseOf = (count: number): ChunkRecord[] =>
  Array.from({ length: count }, (_, n) => ({ cx: n, cz: 5, bytes: randomBytes(300_000) }))

/** Holds the nth request of a kind until the gate opens. Nothing times out while it waits. */
const createGate = (kind: typeof QueryCommand | typeof TransactWriteItemsCommand | typeof BatchGetItemCommand, nth = 1) => {
  let seen = 0
  let [open, reach] = [() => {}, () => {}]
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const hold = (dynamo: Dynamo): Dynamo => ({
    ...dynamo,
    ask: async (request) => {
      const commands: unknown[] = []
      const probe = { send: async (command: unknown) => void commands.push(command) } as unknown as DynamoDBClient
      await request(probe, { abortSignal: AbortSignal.timeout(1000) }).catch(() => undefined)
      if (commands.some((command) => command instanceof kind)) seen += 1
      if (seen >= nth) {
        reach()
        await opened
      }
      return dynamo.ask(request)
    },
  })
  return { hold, reached, open: () => open() }
}

describeDynamo('a batch of columns interrupted on its way to DynamoDB', () => {
  let server: DynamoServer
  let proxy: DynamoProxy
  let slowDynamo: Dynamo
  let dynamo: Dynamo
  let slow: ChunkStore
  let other: ChunkStore
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    proxy = await startDynamoProxy(server.endpoint)
    const target = createTestTarget(server.endpoint)
    dynamo = await openDynamo(server.endpoint, { target })
    // An answer may take all of this time: a repeated request would get the fault of the next one.
    const patience = { patienceMs: 6000, answerMs: 6000 }
    slowDynamo = await openDynamo(proxy.endpoint, { target: { ...target, endpoint: proxy.endpoint }, ...patience })
    slow = createDynamoChunkStore({ dynamo: slowDynamo, ids: systemIds })
    other = createDynamoChunkStore({ dynamo, ids: systemIds })
    await slow.putMany(world, columnsOf('old', 3), 1)
    proxy.operations.length = 0
  })
  afterEach(async () => {
    slowDynamo.close()
    dynamo.close()
    await proxy.close()
  })

  const textsIn = async (store: ChunkStore, records: readonly ChunkRecord[]) =>
    (await store.getMany(world, records)).map((bytes) => bytes && Buffer.from(bytes).toString())
  const textsOf = (records: readonly ChunkRecord[]) => records.map(({ bytes }) => Buffer.from(bytes).toString())
  const discover = async (store: ChunkStore): Promise<number> => {
    let count = 0
    for await (const { czs } of store.discovered(world)) count += czs.length
    return count
  }
  const countParts = async (): Promise<number> => {
    let count = 0
    for (const range of otherBatchRanges(world.name, ''))
      for await (const items of queryItems(dynamo, dynamo.tableName('chunks'), range)) count += items.length
    return count
  }
  const expectWhole = async (store: ChunkStore, records: readonly ChunkRecord[]) => {
    expect(await textsIn(store, records)).toEqual(textsOf(records))
    expect(Buffer.from((await store.get(world, { cx: 12, cz: 0 })) ?? []).toString()).toBe(textsOf(records)[2])
    expect(await store.hasMany(world, records)).toEqual(records.map(() => true))
    expect(await store.has(world, { cx: 39, cz: 0 })).toBe(true)
    expect(await discover(store)).toBe(30)
    expect((await store.stats(world)).chunkCount).toBe(30)
  }

  it('is invisible when it was not committed', async () => {
    proxy.faults.push('passed', ...throttled(400))
    await expect(slow.putMany(world, columnsOf('new'), 1)).rejects.toMatchObject({ kind: 'unavailable' })
    // Abandoned requests may still be on their way to the proxy, which refuses them until all checks are done.
    expect(await textsIn(other, columnsOf('new'))).toEqual([...textsOf(columnsOf('old', 3)), ...Array(27).fill(undefined)])
    expect(await discover(other)).toBe(3)
    proxy.faults.length = 0
    await slow.putMany(world, columnsOf('new'), 1)
    await expectWhole(other, columnsOf('new'))
  })

  it.each([0, 1, 3])('is complete once committed, even if only %d transactions reached its columns', async (done) => {
    const news = columnsOf('new')
    proxy.faults.push('passed', 'passed', 'passed', ...Array<'passed'>(done).fill('passed'), ...throttled(400))
    await slow.putMany(world, news, 1)
    proxy.faults.length = 0
    expect(await countParts()).toBe(1)
    await expectWhole(other, news)
    await other.setAside(world, { cx: 10, cz: 0 }, 2)
    expect(await countParts()).toBe(0)
    await expect(slow.putMany(world, [], 1)).rejects.toMatchObject({ slug: 'lease-lost' })
    expect(await discover(slow)).toBe(29)
    expect((await textsIn(slow, news)).slice(1)).toEqual(textsOf(news).slice(1))
  })

  it('is completed by its own writer with the next write', async () => {
    proxy.faults.push('passed', 'passed', 'passed', ...throttled(400))
    await slow.putMany(world, columnsOf('new'), 1)
    proxy.faults.length = 0
    await slow.putMany(world, columnsOf('newer', 1), 1)
    await expectWhole(other, [...columnsOf('newer', 1), ...columnsOf('new').slice(1)])
    expect(await countParts()).toBe(0)
  })

  it('overwrites nothing newer when a part of it arrives much later', async () => {
    proxy.faults.push('passed', 'passed', 'passed', 'held', 'held', 'held', 'held', ...throttled(400))
    await slow.putMany(world, columnsOf('late'), 1)
    await other.putMany(world, columnsOf('newest'), 2)
    // The last two columns have a transaction of their own, without anything newer in it.
    for (const cx of [20, 38, 39]) await other.setAside(world, { cx, cz: 0 }, 2)
    await proxy.release()
    proxy.faults.length = 0
    const { chunkCount } = await other.stats(world)
    expect({ chunkCount, discovered: await discover(other) }).toEqual({ chunkCount: 27, discovered: 27 })
    expect(await other.has(world, { cx: 20, cz: 0 })).toBe(false)
    expect(await textsIn(other, columnsOf('newest'))).toEqual(
      textsOf(columnsOf('newest')).map((text, n) => ([10, 28, 29].includes(n) ? undefined : text)),
    )
  })

  it('removes nothing added to a bitmap since it was read, when it arrives late', async () => {
    proxy.faults.push('passed', 'passed', 'passed', 'held', 'held', 'held', 'held', ...throttled(400))
    await slow.putMany(world, columnsOf('late'), 1)
    await other.putMany(world, [{ cx: 12, cz: 1, bytes: Buffer.from('beside') }], 2)
    await proxy.release()
    expect(await other.has(world, { cx: 12, cz: 1 })).toBe(true)
    expect(await discover(other)).toBe(31)
  })

  it('restores nothing that was set aside before it read the bitmaps', async () => {
    const looking = createGate(BatchGetItemCommand, 2)
    const late = createDynamoChunkStore({ dynamo: looking.hold(dynamo), ids: systemIds })
    const lateWrite = late.putMany(world, columnsOf('late'), 1)
    await looking.reached
    await other.setAside(world, { cx: 38, cz: 0 }, 2)
    looking.open()
    await lateWrite
    expect(await other.has(world, { cx: 38, cz: 0 })).toBe(false)
    expect(await discover(other)).toBe(29)
  })

  it('is read completely when DynamoDB returns some keys as unprocessed', async () => {
    proxy.faults.push('unprocessed', 'unprocessed')
    expect(await textsIn(slow, columnsOf('old', 3))).toEqual(textsOf(columnsOf('old', 3)))
    expect(proxy.operations).toEqual(['BatchGetItem', 'BatchGetItem', 'BatchGetItem'])
  })

  it('can exceed a transaction, and the next batch removes parts of an uncommitted one', async () => {
    const large = noiseOf(12)
    proxy.faults.push('passed', 'passed', 'passed', ...throttled(400))
    await expect(slow.putMany(world, large, 1)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await countParts()).toBe(2)
    expect(await discover(other)).toBe(3)
    proxy.faults.length = 0
    // On a busy machine a sweep may exceed its retry window. The next sweep then removes the parts.
    await waitFor(async () => {
      await other.putMany(world, large, 1)
      return (await countParts()) === 0
    })
    const read = await other.getMany(world, large)
    expect(read.every((bytes, n) => bytes !== undefined && Buffer.from(large[n]?.bytes ?? []).equals(bytes))).toBe(true)
  })

  it('keeps the parts of a later batch when its own clean-up is delayed', async () => {
    const [sweeping, putting] = [createGate(QueryCommand), createGate(TransactWriteItemsCommand)]
    const late = createDynamoChunkStore({ dynamo: sweeping.hold(dynamo), ids: systemIds })
    const next = createDynamoChunkStore({ dynamo: putting.hold(dynamo), ids: systemIds })
    const lateWrite = late.putMany(world, noiseOf(12), 1)
    await sweeping.reached
    await other.putMany(world, [], 2)
    const large = noiseOf(12)
    const nextWrite = next.putMany(world, large, 2)
    await putting.reached
    sweeping.open()
    await lateWrite
    expect(await countParts()).toBe(12)
    putting.open()
    await nextWrite
    const read = await other.getMany(world, large)
    expect(read.every((bytes, n) => bytes !== undefined && Buffer.from(large[n]?.bytes ?? []).equals(bytes))).toBe(true)
    expect(await countParts()).toBe(0)
  })

  it('takes the minimum of round trips', async () => {
    const take = () => proxy.operations.splice(0)
    await slow.get(world, { cx: 10, cz: 0 })
    await slow.hasMany(world, columnsOf('any', 90))
    await slow.stats(world)
    await slow.getMany(world, columnsOf('any', 99))
    expect(take()).toEqual(['BatchGetItem', 'BatchGetItem', 'GetItem', 'BatchGetItem'])
    await slow.putMany(world, columnsOf('few', 8), 1)
    expect(take()).toEqual(['BatchGetItem', 'TransactWriteItems'])
    await slow.setAside(world, { cx: 10, cz: 0 }, 1)
    expect(take()).toEqual(['BatchGetItem', 'TransactWriteItems'])
    await slow.putMany(world, [], 2)
    expect(take()).toEqual(['TransactWriteItems'])
    await slow.putMany(world, columnsOf('many'), 2)
    expect(take()).toEqual(['BatchGetItem', 'TransactWriteItems', 'BatchGetItem', ...Array(5).fill('TransactWriteItems')])
    expect(await discover(slow)).toBe(30)
    expect(take()).toEqual(['GetItem', 'Query'])
    expect(proxy.staleReads).toEqual([])
  })
})
