import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { AccountStore } from '../../../../../../shared/domain/accounts/store/account-store.ts'
import { createStoreAccountStore } from '../../../../../../shared/domain/accounts/store/records/record-account-store.ts'
import { AppError } from '../../../../../../shared/kernel/errors.ts'
import { systemIds } from '../../../../../../shared/kernel/ids.ts'
import { createDynamoStore } from '../../../../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { createMemoryStore } from '../../../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../../../shared/platform/storage/store.ts'
import { auditEntryFor, isInAdmin, makeAccount } from '../../../../../support/accounts/stored-accounts.ts'
import {
  createTestTarget,
  type DynamoServer,
  describeDynamo,
  openDynamo,
  openDynamoForTests,
} from '../../../../../support/dynamodb/dynamodb.ts'
import { startDynamoProxy } from '../../../../../support/dynamodb/dynamodb-proxy.ts'

/** Guarantees between processes, tested with two account stores on one store. */
const describeRaces = (name: string, open: () => Promise<{ store: Store; dispose: () => Promise<void> }>) => {
  describe(`two account stores ${name}`, () => {
    let store: Store
    let dispose: () => Promise<void>
    let both: readonly AccountStore[]
    beforeEach(async () => {
      ;({ store, dispose } = await open())
      both = [1, 2].map(() => createStoreAccountStore({ store, isAdministrator: isInAdmin }))
    })
    afterEach(() => dispose())
    const [first, second] = [() => at(0), () => at(1)]
    const at = (index: number): AccountStore => both[index % 2] ?? createStoreAccountStore({ store, isAdministrator: isInAdmin })
    const put = (accounts: AccountStore, account: ReturnType<typeof makeAccount>) =>
      accounts.change(account.email, () => ({ next: account, result: account }))

    it('keep the last administrator', async () => {
      const emails = Array.from({ length: 8 }, (_, n) => `admin${n}@x.y`)
      await Promise.all(emails.map((email, n) => put(at(n), makeAccount(email, 'admin'))))
      const results = await Promise.allSettled(
        emails.map((email, n) =>
          at(n).change(email, (_current, { administrators }) => {
            if (administrators.size === 1) throw new AppError('conflict', 'last-administrator', 'Make another one first.')
            return { next: undefined, result: email }
          }),
        ),
      )
      expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
      expect(await first().listAdministrators()).toHaveLength(1)
    })

    it('keep one of the accounts that are merged into each other', async () => {
      const emails = ['a@x.y', 'b@x.y', 'c@x.y']
      for (let round = 0; round < 3; round += 1) {
        await Promise.all(emails.map((email, n) => put(at(n), makeAccount(email))))
        // Each into the next, in a circle.
        const merges = emails.map((email, n) =>
          at(n).change(email, (current) => {
            if (current === undefined) throw new AppError('not-found', 'not-found', 'There is no account with that email.')
            return { next: undefined, result: current, needs: emails[(n + 1) % emails.length] ?? '' }
          }),
        )
        await Promise.allSettled(merges)
        expect((await first().listAccounts({ limit: 9 })).accounts).not.toHaveLength(0)
      }
    })

    it('create one account for many first sign-ins, and give a playerId and a subject to one', async () => {
      const signUps = Array.from({ length: 10 }, (_, n) =>
        at(n).change('a@x.y', (current) => {
          const account = current ?? { ...makeAccount('a@x.y'), subject: 'issuer|a' }
          return { next: account, result: account.playerId }
        }),
      )
      const [playerId = ''] = new Set(await Promise.all(signUps))
      expect(new Set(await Promise.all(signUps)).size).toBe(1)
      for (const taken of [{ playerId }, { subject: 'issuer|a' }])
        await expect(put(second(), { ...makeAccount('b@x.y'), ...taken })).rejects.toMatchObject({ slug: 'already-exists' })
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, (_, n) => put(at(n), { ...makeAccount(`c${n}@x.y`), subject: 'issuer|c' })),
      )
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    it('lose no change of an account, and see each other’s changes by version', async () => {
      await put(first(), makeAccount('a@x.y'))
      const seen = await second().version()
      const add = (n: number) =>
        at(n).change('a@x.y', (current) => ({ next: current && { ...current, groups: [...current.groups, `g${n}`] }, result: n }))
      await Promise.all(Array.from({ length: 12 }, (_, n) => add(n)))
      expect((await first().findByEmail('a@x.y'))?.groups).toHaveLength(13)
      expect(await second().version()).not.toBe(seen)
      expect(await second().version()).toBe(await first().version())
    })

    it('replace everything about an account at once, and remove its old index entries', async () => {
      const before = { ...makeAccount('a@x.y', 'admin'), subject: 'issuer|old' }
      await put(first(), before)
      const after = { ...makeAccount('a@x.y', 'player'), subject: 'issuer|new' }
      await second().change('a@x.y', () => ({ next: after, audit: auditEntryFor('a@x.y'), result: 0 }))
      expect(await first().listAdministrators()).toEqual([])
      expect(await first().findByPlayerId(before.playerId)).toBeUndefined()
      expect(await first().findBySubject('issuer|old')).toBeUndefined()
      for (const match of [first().findByPlayerId(after.playerId), first().findBySubject('issuer|new')])
        expect(await match).toEqual(after)
      const heir = { ...makeAccount('b@x.y', 'admin'), subject: 'issuer|old' }
      await put(second(), heir)
      expect(await first().findBySubject('issuer|old')).toEqual(heir)
      expect(await first().listAdministrators()).toEqual([heir])
    })

    it('page through accounts with few matches, past pages without any', async () => {
      const accounts = Array.from({ length: 30 }, (_, n) => makeAccount(`user${String(n).padStart(2, '0')}@x.y`))
      for (const account of accounts) await put(first(), account)
      expect((await second().listAccounts({ text: 'USER2', limit: 5 })).accounts.map(({ email }) => email)).toEqual(
        accounts.slice(20, 25).map(({ email }) => email),
      )
    })
  })
}

describeRaces('on a store in memory', async () => {
  const store = createMemoryStore()
  return { store, dispose: () => store.close() }
})

describeDynamo('on DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  })
  afterAll(() => server.stop())

  describeRaces('on a store in DynamoDB', async () => {
    const dynamo = await openDynamo(server.endpoint)
    return { store: createDynamoStore({ dynamo, ids: systemIds }), dispose: async () => dynamo.close() }
  })

  it('an account is read in one round trip by email and by playerId, and in two by subject', async () => {
    const proxy = await startDynamoProxy(server.endpoint)
    const dynamo = await openDynamo(proxy.endpoint, { target: createTestTarget(proxy.endpoint) })
    const accounts = createStoreAccountStore({
      store: createDynamoStore({ dynamo, ids: systemIds }),
      isAdministrator: isInAdmin,
    })
    const account = { ...makeAccount('a@x.y'), subject: 'issuer|a' }
    const change = (groups: string[]) => accounts.change('a@x.y', () => ({ next: { ...account, groups }, result: 0 }))
    await change(['player'])
    await change(['vip'])
    const count = async (run: () => Promise<unknown>) => {
      proxy.operations.length = 0
      await run()
      return proxy.operations.splice(0)
    }
    expect(await count(() => accounts.findByEmail('a@x.y'))).toEqual(['GetItem'])
    expect(await count(() => accounts.findByPlayerId(account.playerId))).toEqual(['GetItem'])
    expect(await count(() => accounts.findBySubject('issuer|a'))).toEqual(['GetItem', 'GetItem'])
    expect(await count(() => accounts.version())).toEqual(['Query'])
    expect(await count(() => accounts.listAccounts({ limit: 10 }))).toEqual(['Query'])
    expect(await count(() => change(['player']))).toEqual(['GetItem', 'TransactWriteItems'])
    expect(await count(() => accounts.listAdministrators())).toEqual(['GetItem', 'Query'])
    dynamo.close()
    await proxy.close()
  })
})
