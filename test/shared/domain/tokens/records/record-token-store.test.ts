import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import { createRecordTokenStore, dropTokens } from '../../../../../shared/domain/tokens/records/record-token-store.ts'
import { tokenCollections } from '../../../../../shared/domain/tokens/tokens.ts'
import type { Clock } from '../../../../../shared/kernel/clock.ts'
import { systemIds } from '../../../../../shared/kernel/ids.ts'
import { createLmdbStore } from '../../../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createMemoryStore } from '../../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../../shared/platform/storage/store.ts'
import { tokenStoreContract } from '../../../../contracts/token-store-contract.ts'
import { createFixedClock } from '../../../../support/time/fixed-clock.ts'

tokenStoreContract('records in memory', async (clock) => {
  const store = createMemoryStore()
  return { store: createRecordTokenStore({ store, clock, ids: systemIds }), close: () => store.close() }
})

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const openFolder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-tokens-'))
  closers.push(() => rm(path, { recursive: true, force: true }))
  return path
}
const openLmdb = (path: string): Store => {
  const store = createLmdbStore({ path, ids: systemIds })
  closers.push(() => store.close())
  return store
}

tokenStoreContract('records in LMDB', async (clock) => {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-tokens-'))
  const store = createLmdbStore({ path, ids: systemIds })
  return {
    store: createRecordTokenStore({ store, clock, ids: systemIds }),
    close: async () => {
      await store.close()
      await rm(path, { recursive: true, force: true })
    },
  }
})

const minute = 60_000
const createScene = (store: Store = createMemoryStore()) => {
  const clock = createFixedClock()
  const open = (by: Clock = clock) => createRecordTokenStore({ store, clock: by, ids: systemIds })
  const grantFor = (playerId = systemIds.uuid()) => ({
    playerId,
    verified: true,
    signInId: systemIds.uuid(),
    signedInAt: clock.now(),
  })
  const count = async () => {
    let records = 0
    for (const collection of tokenCollections) records += (await store.list(collection, { limit: 1000 })).records.length
    return records
  }
  return { store, clock, open, grantFor, count, tokens: open() }
}

describe('tokens in the record store', () => {
  it('stay valid in another process until their own end, and stay revoked there', async () => {
    const path = await openFolder()
    const first = createLmdbStore({ path, ids: systemIds })
    const { clock, grantFor, tokens } = createScene(first)
    const grant = grantFor()
    const [kept, ended, banned] = [
      await tokens.issue(grant),
      await tokens.issue(grantFor()),
      await tokens.issue(grantFor('banned')),
    ]
    await tokens.putOnce('state', 'value', 600)
    await tokens.putOnce('taken', 'value', 600)
    await tokens.takeOnce('taken')
    await tokens.revoke(ended)
    await tokens.revokeAccount('banned')
    await first.close()

    const again = createScene(openLmdb(path)).open(clock)
    expect(await again.find(kept)).toMatchObject(grant)
    for (const dead of [ended, banned]) expect(await again.find(dead)).toBeUndefined()
    await expect(again.issue({ ...grantFor('banned'), signedInAt: clock.now() - 1 })).rejects.toMatchObject({
      slug: 'invalid-token',
    })
    expect((await again.revokedSince(0)).map(({ playerId }) => playerId)).toContain('banned')
    expect([await again.takeOnce('state'), await again.takeOnce('taken')]).toEqual(['value', undefined])
    const renewed = await again.issue(grant)
    await again.revoke(kept)
    expect(await again.find(renewed)).toBeUndefined()
    clock.advance(10 * minute)
    expect(await again.find(kept)).toBeUndefined()
  })

  it('are not stored as plain text', async () => {
    const { tokens, store, grantFor } = createScene()
    const token = await tokens.issue(grantFor())
    await tokens.putOnce('a secret key', 'value', 600)
    const all = JSON.stringify(await Promise.all(tokenCollections.map((collection) => store.list(collection))))
    expect(all).not.toContain(token)
    expect(all).not.toContain('a secret key')
  })

  it('end within a second of a revocation in another process', async () => {
    const { tokens, open, clock, grantFor } = createScene()
    const grant = grantFor()
    const token = await tokens.issue(grant)
    expect(await tokens.find(token)).toBeDefined()
    await open().revokeAccount(grant.playerId)
    clock.advance(1000)
    expect(await tokens.find(token)).toBeUndefined()
  })

  it('are read once a second when used often', async () => {
    const store = createMemoryStore()
    let reads = 0
    const counted: Store = {
      ...store,
      get: (collection, id) => {
        reads += 1
        return store.get(collection, id)
      },
    }
    const { tokens, clock, grantFor } = createScene(counted)
    const token = await tokens.issue(grantFor())
    reads = 0
    for (let ms = 0; ms < 2000; ms += 10) {
      await tokens.find(token)
      clock.advance(10)
    }
    expect(reads).toBe(2)
  })

  it('are removed after their end, and not before', async () => {
    const { tokens, clock, count, grantFor } = createScene()
    for (let at = 0; at < 250; at += 1) await tokens.issue(grantFor())
    await tokens.revokeAccount('somebody')
    await tokens.putOnce('state', 'value', 600)
    clock.advance(5 * minute)
    const token = await tokens.issue(grantFor())
    clock.advance(5 * minute)
    await tokens.sweep()
    expect(await tokens.find(token)).toBeDefined()
    // The token with its owner, and the account entry, which stays a minute longer.
    expect(await count()).toBe(3)
    clock.advance(10 * minute)
    await tokens.sweep()
    expect(await count()).toBe(0)
  })

  it('are gone after a drop', async () => {
    const { tokens, store, count, grantFor, open } = createScene()
    const token = await tokens.issue(grantFor())
    await tokens.revokeAccount('somebody')
    await dropTokens(store)
    expect([await open().find(token), await count()]).toEqual([undefined, 0])
  })

  it('are refused for a revoked account while another process revokes it repeatedly', async () => {
    const { tokens, open, grantFor } = createScene()
    const grant = grantFor()
    const other = open()
    const issued = Array.from({ length: 20 }, () => tokens.issue(grant))
    const revoked = Array.from({ length: 5 }, () => other.revokeAccount(grant.playerId))
    const results = await Promise.allSettled(issued)
    await Promise.all(revoked)
    await other.revokeAccount(grant.playerId)
    for (const result of results)
      if (result.status === 'fulfilled') expect(await open().find(result.value)).toBeUndefined()
      else expect(result.reason).toMatchObject({ slug: 'invalid-token' })
  })
})
