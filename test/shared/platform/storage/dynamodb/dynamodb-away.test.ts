import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createStoreAccountStore } from '../../../../../shared/domain/accounts/store/records/record-account-store.ts'
import { createStoreConfigFiles } from '../../../../../shared/domain/configs/texts/config-files-store.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createDynamo } from '../../../../../shared/platform/storage/dynamodb/dynamodb-client.ts'
import { createDynamoStore } from '../../../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { putWrite } from '../../../../../shared/platform/storage/store.ts'
import { makeAccount } from '../../../../support/accounts/stored-accounts.ts'
import { createTestTarget, describeOwnDynamo, openDynamo, startDynamo } from '../../../../support/dynamodb/dynamodb.ts'
import { startDynamoProxy } from '../../../../support/dynamodb/dynamodb-proxy.ts'
import { counters } from '../../../../support/storage/counter-collection.ts'
import { createCapturedLog, silentLog } from '../../../../support/time/silent-log.ts'

/** Long enough for a busy machine. */
const brief = { patienceMs: 9000, answerMs: 5000 }
const unavailable = expect.objectContaining({ kind: 'unavailable', slug: 'service-unavailable', retryAfterSeconds: 1 })

describeOwnDynamo('during an outage of DynamoDB', () => {
  let server: Awaited<ReturnType<typeof startDynamo>>
  beforeAll(async () => {
    server = await startDynamo()
  })
  afterAll(() => server.stop())

  it('every store method throws unavailable, logs it once, and recovers with the same client', async () => {
    const { log, lines } = createCapturedLog()
    const target = createTestTarget(server.endpoint)
    const dynamo = await openDynamo(server.endpoint, { target, log, ...brief })
    const store = createDynamoStore({ dynamo, ids: systemIds })
    await store.put(counters, 'one', { n: 1 })
    await server.kill()
    const attempts = await Promise.allSettled([
      store.get(counters, 'one'),
      store.put(counters, 'one', { n: 2 }),
      store.delete(counters, 'one'),
      store.list(counters),
      store.commit([putWrite(counters, 'one', { n: 1 }), putWrite(counters, 'two', { n: 1 })]),
    ])
    expect(attempts).toEqual(attempts.map(() => ({ status: 'rejected', reason: unavailable })))
    await server.restart()
    await openDynamo(server.endpoint, { target }).then(({ close }) => close())
    await store.put(counters, 'one', { n: 3 })
    expect((await store.get(counters, 'one'))?.value).toEqual({ n: 3 })
    expect(lines.map(({ msg }) => msg)).toEqual([expect.stringMatching(/does not answer/), expect.stringMatching(/again/)])
    dynamo.close()
  })

  it('a call throws unavailable when DynamoDB does not respond at all', async () => {
    const target = createTestTarget(server.endpoint)
    await openDynamo(server.endpoint, { target }).then(({ close }) => close())
    const proxy = await startDynamoProxy(server.endpoint)
    const dynamo = await openDynamo(proxy.endpoint, { target: { ...target, endpoint: proxy.endpoint }, ...brief })
    const store = createDynamoStore({ dynamo, ids: systemIds })
    proxy.faults.push('silent', 'silent', 'silent', 'silent')
    proxy.operations.length = 0
    await expect(store.get(counters, 'one')).rejects.toEqual(unavailable)
    // One request without an answer for `answerMs`, and one that is aborted. A third does not fit.
    expect(proxy.operations).toEqual(['GetItem', 'GetItem'])
    proxy.faults.length = 0
    expect(await store.get(counters, 'one')).toBeUndefined()
    dynamo.close()
    await proxy.close()
  })

  it('a queued call waits no longer than one retry window', async () => {
    const target = createTestTarget(server.endpoint)
    await openDynamo(server.endpoint, { target }).then(({ close }) => close())
    const proxy = await startDynamoProxy(server.endpoint)
    const dynamo = createDynamo({
      target: { ...target, endpoint: proxy.endpoint },
      ids: systemIds,
      log: silentLog,
      patienceMs: 3000,
      answerMs: 10_000,
    })
    const store = createDynamoStore({ dynamo, ids: systemIds })
    const accounts = createStoreAccountStore({ store, isAdministrator: () => false })
    const configs = createStoreConfigFiles({
      store,
      readBundled: async () => 'bundled: true\n',
      clock: { now: () => 0, monotonic: () => 0 },
      ids: systemIds,
    })
    proxy.faults.push(...Array<'silent'>(100).fill('silent'))
    const change = (n: number) => accounts.change(`user${n}@x.y`, () => ({ next: makeAccount(`user${n}@x.y`), result: n }))
    for (const ask of [change, (n: number) => configs.write('server.yaml', `n: ${n}\n`, { savedBy: 'somebody' })]) {
      const answers = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => ask(n)))
      expect(answers.map((answer) => answer.status === 'rejected' && answer.reason)).toEqual(Array(20).fill(unavailable))
    }
    expect(proxy.operations).toEqual(['GetItem', 'Query'])
    dynamo.close()
    await proxy.close()
  })
})
