import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { ConfigFiles } from '../../../../../shared/domain/configs/texts/config-files.ts'
import { createRevisionLog } from '../../../../../shared/domain/configs/texts/config-files-revisions.ts'
import { createStoreConfigFiles } from '../../../../../shared/domain/configs/texts/config-files-store.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createDynamoStore } from '../../../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { createMemoryStore } from '../../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../../shared/platform/storage/store.ts'
import { type ConfigFilesDeps, describeConfigFiles } from '../../../../contracts/config-files-contract.ts'
import {
  createTestTarget,
  type DynamoServer,
  describeDynamo,
  openDynamo,
  openDynamoForTests,
} from '../../../../support/dynamodb/dynamodb.ts'
import { startDynamoProxy } from '../../../../support/dynamodb/dynamodb-proxy.ts'
import { createFixedClock } from '../../../../support/time/fixed-clock.ts'

const createFiles = (store: Store, { bundled, clock, ids }: ConfigFilesDeps): ConfigFiles => {
  const readBundled = async (name: string) => (Object.hasOwn(bundled, name) ? bundled[name] : undefined)
  return createStoreConfigFiles({ store, readBundled, clock, ids })
}
const deps = { bundled: { 'a.yaml': 'bundled' }, clock: createFixedClock(), ids: systemIds }

describeConfigFiles('in a store in memory', async (given) => {
  const store = createMemoryStore()
  return { files: createFiles(store, given), dispose: () => store.close() }
})

it('returns the bundled text after an interrupted first save, which the next one continues', async () => {
  const store = createMemoryStore()
  const files = createFiles(store, deps)
  const { etag } = await files.read('a.yaml')
  const cutOff = { bytes: Buffer.from('bundled'), etag, savedAt: '2020-01-01T00:00:00.000Z', savedBy: 'default' }
  await createRevisionLog(store, systemIds).append('a.yaml', cutOff)
  expect(await files.read('a.yaml')).toMatchObject({ text: 'bundled', source: 'default' })
  expect(await files.revisions('a.yaml')).toEqual([])
  await files.write('a.yaml', 'saved', { savedBy: 'ann@x.y' })
  expect(await files.read('a.yaml')).toMatchObject({ text: 'saved', source: 'data' })
  expect(await files.revisions('a.yaml')).toEqual([
    expect.objectContaining({ savedBy: 'default', savedAt: '2026-01-01T00:00:00.000Z' }),
  ])
})

it.each([
  ['refuses a write with a tag', true],
  ['adds a write without a tag after it', false],
])('does not overwrite a save of another process since the read: %s', async (_what, hasTag) => {
  const store = createMemoryStore()
  const other = createFiles(store, deps)
  await other.write('a.yaml', 'first', { savedBy: 'ann@x.y' })
  let isOvertaken = false
  const list: Store['list'] = async (collection, query) => {
    // A read of the active text has a page of one. This is the read before the write.
    if (query?.limit !== 1 && !isOvertaken) {
      isOvertaken = true
      await other.write('a.yaml', 'by another', { savedBy: 'bob@x.y' })
    }
    return store.list(collection, query)
  }
  const { etag } = await other.read('a.yaml')
  const save = createFiles({ ...store, list }, deps).write('a.yaml', 'late', {
    savedBy: 'ann@x.y',
    ...(hasTag && { ifEtag: etag }),
  })
  if (hasTag) await expect(save).rejects.toMatchObject({ kind: 'stale' })
  else await save
  expect((await other.read('a.yaml')).text).toBe(hasTag ? 'by another' : 'late')
  expect((await other.revisions('a.yaml')).map(({ savedBy }) => savedBy)).toEqual([
    ...(hasTag ? [] : ['bob@x.y']),
    'ann@x.y',
    'default',
  ])
})

it('does not return the bundled text when a part of the saved one is missing', async () => {
  const store = createMemoryStore()
  const files = createFiles({ ...store, get: (collection, id) => store.get(collection, `${id}-gone`) }, deps)
  await createFiles(store, deps).write('a.yaml', 'saved', { savedBy: 'ann@x.y' })
  await expect(files.read('a.yaml')).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(files.write('a.yaml', 'over it', { savedBy: 'ann@x.y' })).rejects.toMatchObject({ kind: 'unavailable' })
})

describeDynamo('on DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())

  describeConfigFiles(
    'in a store in DynamoDB',
    async (given) => {
      const dynamo = await openDynamo(server.endpoint)
      return {
        files: createFiles(createDynamoStore({ dynamo, ids: systemIds }), given),
        dispose: async () => dynamo.close(),
      }
    },
    { isBrief: true },
  )

  it('accepts one of two saves with the same tag from two processes, repeatedly', async () => {
    const dynamo = await openDynamo(server.endpoint)
    const both = [1, 2].map(() => createFiles(createDynamoStore({ dynamo, ids: systemIds }), deps))
    for (let round = 0; round < 5; round += 1) {
      const { etag } = (await both[0]?.read('a.yaml')) ?? { etag: '' }
      const saves = both.map((files, n) => files.write('a.yaml', `${round} by ${n}`, { savedBy: 'ann@x.y', ifEtag: etag }))
      const results = await Promise.allSettled(saves)
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    }
    expect(await both[1]?.revisions('a.yaml')).toHaveLength(5)
    dynamo.close()
  })

  it('reads a text in two round trips, and saves one in four', async () => {
    const proxy = await startDynamoProxy(server.endpoint)
    const dynamo = await openDynamo(proxy.endpoint, { target: createTestTarget(proxy.endpoint) })
    const files = createFiles(createDynamoStore({ dynamo, ids: systemIds }), deps)
    await files.write('a.yaml', 'first', { savedBy: 'ann@x.y' })
    proxy.operations.length = 0
    await files.read('a.yaml')
    expect(proxy.operations.splice(0)).toEqual(['Query', 'GetItem'])
    await files.write('a.yaml', 'second', { savedBy: 'ann@x.y' })
    expect(proxy.operations.splice(0)).toEqual(['Query', 'GetItem', 'Query', 'TransactWriteItems'])
    dynamo.close()
    await proxy.close()
  })
})
