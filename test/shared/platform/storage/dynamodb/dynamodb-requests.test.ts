import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { Type } from '@sinclair/typebox'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import type { Dynamo } from '../../../../../shared/platform/storage/dynamodb/dynamodb-client.ts'
import { createDynamoStore } from '../../../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { createCollection, putWrite, type Store } from '../../../../../shared/platform/storage/store.ts'
import {
  createTestTarget,
  type DynamoServer,
  describeDynamo,
  openDynamo,
  openDynamoForTests,
} from '../../../../support/dynamodb/dynamodb.ts'
import { type DynamoProxy, startDynamoProxy } from '../../../../support/dynamodb/dynamodb-proxy.ts'
import { counters } from '../../../../support/storage/counter-collection.ts'

const texts = createCollection('texts', Type.String())
const conflict = { kind: 'conflict', slug: 'conflict' }

describeDynamo('requests of the store to DynamoDB', () => {
  let server: DynamoServer
  let proxy: DynamoProxy
  let dynamo: Dynamo
  let store: Store
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())
  beforeEach(async () => {
    proxy = await startDynamoProxy(server.endpoint)
    const target = createTestTarget(server.endpoint)
    await openDynamo(server.endpoint, { target }).then(({ close }) => close())
    dynamo = await openDynamo(proxy.endpoint, { target: { ...target, endpoint: proxy.endpoint } })
    store = createDynamoStore({ dynamo, ids: systemIds })
    proxy.operations.length = 0
  })
  afterEach(async () => {
    dynamo.close()
    await proxy.close()
  })
  const take = (): string[] => proxy.operations.splice(0)

  it('take one round trip for a read, a write, a deletion, a commit of ten and a page', async () => {
    const version = await store.put(counters, 'one', { n: 1 })
    expect(take()).toEqual(['PutItem'])
    await store.get(counters, 'one')
    expect(take()).toEqual(['GetItem'])
    await store.put(counters, 'one', { n: 2 }, { ifVersion: version })
    expect(take()).toEqual(['PutItem'])
    await store.delete(counters, 'one')
    expect(take()).toEqual(['TransactWriteItems'])
    await store.commit(Array.from({ length: 10 }, (_, n) => putWrite(counters, `id${n}`, { n })))
    expect(take()).toEqual(['TransactWriteItems'])
    await store.list(counters, { limit: 4 })
    expect(take()).toEqual(['Query'])
    await store.commit([{ kind: 'check', collection: counters.name, id: 'none', ifVersion: null }])
    expect(take()).toEqual(['GetItem'])
    expect(proxy.staleReads).toEqual([])
  })

  it('are not sent for invalid arguments, and not repeated after a failed condition', async () => {
    await expect(store.get(counters, '')).rejects.toMatchObject({ kind: 'invalid' })
    expect(take()).toEqual([])
    await expect(store.put(counters, 'one', { n: 1 }, { ifVersion: 'other' })).rejects.toMatchObject(conflict)
    await expect(
      store.commit([putWrite(counters, 'one', { n: 1 }, { ifVersion: 'other' }), putWrite(counters, 'two', { n: 1 })]),
    ).rejects.toMatchObject(conflict)
    expect(take()).toEqual(['PutItem', 'TransactWriteItems'])
  })

  it('read a list of several MB completely', async () => {
    const value = randomBytes(120_000).toString('hex')
    for (let n = 0; n < 12; n += 1) await store.put(texts, `text ${n}`, value)
    take()
    expect((await store.list(texts, { limit: 1000 })).records.map(({ value }) => value.length)).toEqual(Array(12).fill(240_000))
    expect(take().length).toBeLessThanOrEqual(3)
  })

  it('store a compressible text of 2 MB, and refuse one that exceeds an item', async () => {
    const long = 'a line of a config\n'.repeat(110_000)
    await store.put(texts, 'long', long)
    expect((await store.get(texts, 'long'))?.value).toBe(long)
    const noise = randomBytes(300_000).toString('base64')
    const refusal = { kind: 'too-large', slug: 'record-too-large' }
    await expect(store.put(texts, 'noise', noise)).resolves.toEqual(expect.any(String))
    await expect(store.put(texts, 'noise', noise + noise)).rejects.toMatchObject(refusal)
    await expect(
      store.commit([putWrite(texts, 'noise', noise + noise), putWrite(counters, 'one', { n: 1 })]),
    ).rejects.toMatchObject(refusal)
    expect((await store.get(texts, 'noise'))?.value).toBe(noise)
    expect(await store.get(counters, 'one')).toBeUndefined()
  })

  it('are repeated after throttling and after transaction conflicts', async () => {
    proxy.faults.push('ThrottlingException', 'ThrottlingException')
    await store.put(counters, 'one', { n: 1 })
    proxy.faults.push('TransactionConflict', 'TransactionConflict', 'TransactionConflict')
    await store.commit([putWrite(counters, 'one', { n: 2 }), putWrite(counters, 'two', { n: 2 })])
    expect((await store.list(counters)).records.map(({ value }) => value.n)).toEqual([2, 2])
    expect(take()).toEqual([...Array(3).fill('PutItem'), ...Array(4).fill('TransactWriteItems'), 'Query'])
  })

  it('fail as unavailable when the throttling continues', async () => {
    proxy.faults.push(...Array<'ThrottlingException'>(500).fill('ThrottlingException'))
    await expect(store.get(counters, 'one')).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 })
    proxy.faults.length = 0
    expect(await store.get(counters, 'one')).toBeUndefined()
  })

  it('count as done when the answer is lost: a conditional put, and a commit', async () => {
    proxy.faults.push('lost')
    const version = await store.put(counters, 'one', { n: 1 }, { ifVersion: null })
    proxy.faults.push('lost')
    await store.put(counters, 'one', { n: 2 }, { ifVersion: version })
    proxy.faults.push('lost')
    await store.commit([putWrite(counters, 'two', { n: 2 }, { ifVersion: null }), putWrite(counters, 'three', { n: 2 })])
    expect((await store.list(counters)).records.map(({ value }) => value.n)).toEqual([2, 2, 2])
  })

  it('count as done once when the answer to a deletion is lost', async () => {
    const version = await store.put(counters, 'one', { n: 1 })
    await store.put(counters, 'two', { n: 2 })
    proxy.faults.push('lost')
    expect(await store.delete(counters, 'one', { ifVersion: version })).toBe(true)
    proxy.faults.push('lost')
    expect(await store.delete(counters, 'two')).toBe(true)
    expect(await store.delete(counters, 'two')).toBe(false)
    expect(await store.delete(counters, 'two', { ifVersion: null })).toBe(false)
    await expect(store.delete(counters, 'two', { ifVersion: version })).rejects.toMatchObject(conflict)
  })

  it('do not conflict with themselves after a lost answer and another fault', async () => {
    proxy.faults.push('lost', 'TransactionConflict', 'TransactionConflict')
    await store.commit([putWrite(counters, 'one', { n: 1 }, { ifVersion: null }), putWrite(counters, 'two', { n: 2 })])
    proxy.faults.push('lost', 'TransactionConflict')
    await store.put(counters, 'three', { n: 3 }, { ifVersion: null })
    expect((await store.list(counters)).records.map(({ value }) => value.n)).toEqual([1, 3, 2])
  })

  it('use a new transaction token after a certain failure, and the same one after a doubtful one', async () => {
    const tokens: unknown[] = []
    const named = createDynamoStore({
      dynamo: { ...dynamo, newToken: () => tokens[tokens.push(dynamo.newToken()) - 1] as string },
      ids: systemIds,
    })
    const commit = (n: number) => named.commit([putWrite(counters, 'one', { n }), putWrite(counters, 'two', { n })])
    proxy.faults.push('TransactionConflict', 'TransactionConflict')
    await commit(1)
    expect(tokens.splice(0)).toHaveLength(3)
    proxy.faults.push('TransactionConflict', 'lost', 'TransactionConflict', 'TransactionConflict')
    await commit(2)
    expect(tokens).toHaveLength(2)
  })
})
