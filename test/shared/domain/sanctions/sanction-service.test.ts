import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createStoreAuditLog } from '../../../../shared/domain/audit/store-audit-log.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryEventBus } from '../../../../shared/platform/events/memory-events.ts'
import { createDynamoStore } from '../../../../shared/platform/storage/dynamodb/dynamodb-store.ts'
import { createLmdbStore } from '../../../../shared/platform/storage/lmdb/lmdb-store.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../../shared/platform/storage/store.ts'
import { operator, someHash } from '../../../support/accounts/account-fixture.ts'
import { createSanctionFixture } from '../../../support/accounts/sanction-fixture.ts'
import { type DynamoServer, describeDynamo, openDynamo, openDynamoForTests } from '../../../support/dynamodb/dynamodb.ts'
import { createTempDir } from '../../../support/processes/temp-dir.ts'
import { silentLog } from '../../../support/time/silent-log.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

type OpenStore = () => Promise<{ readonly store: Store; readonly dispose: () => Promise<void> }>

const inMinutes = (minutes: number): string => new Date(Date.parse('2026-01-01T00:00:00.000Z') + minutes * 60_000).toISOString()
const [email, reason] = ['ada@example.com', 'griefing the town']

const describeSanctions = (name: string, openStore: OpenStore, suite = describe): void =>
  suite(`sanctions in ${name}`, () => {
    let close: () => Promise<void>
    afterEach(() => close())

    const open = async () => {
      const { store, dispose } = await openStore()
      const fixture = await createSanctionFixture(store)
      const process = await fixture.startProcess()
      close = async () => {
        await fixture.close()
        await dispose()
      }
      return {
        ...fixture,
        ...process,
        listAudit: async () => (await createStoreAuditLog(store).listEntries({ limit: 10 })).entries,
      }
    }

    it('are active as soon as they are answered, to the millisecond, and audited completely', async () => {
      const { sanctions, inForce, clock, actorOf, listAudit } = await open()
      const until = inMinutes(10)
      const ban = await sanctions.impose(actorOf('mod'), {
        kind: 'ban',
        email: ' Ada@example.com',
        reason,
        note: 'third time',
        until,
      })
      expect(ban).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        kind: 'ban',
        email,
        reason,
        note: 'third time',
        until,
        by: 'mod@example.com',
        at: inMinutes(0),
      })
      expect(inForce.findBan(email)).toEqual(ban)
      clock.advance(10 * 60_000 - 1)
      expect(inForce.findBan(email)).toEqual(ban)
      clock.advance(1)
      expect(inForce.findBan(email)).toBeUndefined()
      expect((await listAudit())[0]).toMatchObject({ action: 'sanction.create', target: email, before: null, after: ban })
    })

    it('of an account revoke its tokens', async () => {
      const { sanctions, tokens, clock, people, actorOf } = await open()
      const { playerId } = people.ada
      const token = await tokens.issue({ playerId, verified: true, signInId: systemIds.uuid(), signedInAt: clock.now() })
      clock.advance(1)
      await sanctions.impose(actorOf('mod'), { kind: 'mute', email, reason })
      expect(await tokens.find(token)).toBeDefined()
      await sanctions.impose(actorOf('mod'), { kind: 'ban', email, reason, until: inMinutes(10) })
      expect(await tokens.find(token)).toBeUndefined()
    })

    it('end once by another admin, and can be reinstated', async () => {
      const { sanctions, inForce, clock, actorOf, listAudit } = await open()
      const mute = await sanctions.impose(actorOf('mod'), { kind: 'mute', email, reason, until: inMinutes(60) })
      clock.advance(1000)
      const ended = await sanctions.end(actorOf('boss'), mute.id)
      expect(ended).toEqual({ ...mute, endedAt: expect.any(String), endedBy: 'boss@example.com' })
      expect(inForce.findMute(email)).toBeUndefined()
      clock.advance(1000)
      expect(await sanctions.end(actorOf('mod'), mute.id)).toEqual(ended)
      expect((await listAudit())[0]).toMatchObject({ action: 'sanction.end', before: mute, after: ended })
      expect(await sanctions.reinstate(actorOf('mod'), mute.id)).toEqual(mute)
      expect(inForce.findMute(email)).toEqual(mute)
      await expect(sanctions.end(actorOf('mod'), systemIds.uuid())).rejects.toMatchObject({ kind: 'not-found' })
      await expect(sanctions.end(actorOf('mod'), '../etc')).rejects.toMatchObject({ kind: 'not-found' })
    })

    it('are listed newest first in pages, by account, kind and activity', async () => {
      const { sanctions, clock, actorOf } = await open()
      const made = []
      for (const kind of ['mute', 'warning', 'ban', 'mute'] as const) {
        made.push(await sanctions.impose(actorOf('mod'), { kind, email, reason, until: inMinutes(made.length + 1) }))
      }
      made.push(await sanctions.impose(actorOf('mod'), { kind: 'ban', address: '192.0.2.9/24', reason, until: inMinutes(90) }))
      const idsOf = ({ sanctions: found }: { sanctions: readonly { id: string }[] }) => found.map(({ id }) => id)
      const all = made.map(({ id }) => id).toReversed()
      const first = await sanctions.listSanctions({ limit: 2 })
      const second = await sanctions.listSanctions({ limit: 3, cursor: first.nextCursor ?? '' })
      expect([...idsOf(first), ...idsOf(second)]).toEqual(all)
      expect(second.nextCursor).toBeUndefined()
      expect(idsOf(await sanctions.listSanctions({ limit: 9, email }))).toEqual(all.slice(1))
      expect(idsOf(await sanctions.listSanctions({ limit: 9, kind: 'ban' }))).toEqual([all[0], all[2]])
      clock.advance(150_000)
      expect(idsOf(await sanctions.listSanctions({ limit: 9, active: true }))).toEqual(all.slice(0, 3))
      expect(idsOf(await sanctions.listSanctions({ limit: 9, active: false, email }))).toEqual(all.slice(3))
      await expect(sanctions.listSanctions({ limit: 9, cursor: 'x' })).rejects.toMatchObject({ kind: 'invalid' })
    })

    it('a ban ends API tokens for good before it is stored', async () => {
      const { apiTokens, sanctions, actorOf, people } = await open()
      const { playerId } = people.ada
      const actor = { email, via: 'http', requestId: 'r' } as const
      const { token } = await apiTokens.create({ playerId, actor, target: email }, { name: 'bot', permissions: ['*'] })
      expect(await apiTokens.find(token)).toBeDefined()
      // No other step of this fixture ends API tokens, as in a process that dies right after the ban.
      const ban = await sanctions.impose(actorOf('boss'), { kind: 'ban', email, reason })
      expect(await apiTokens.find(token)).toBeUndefined()
      await sanctions.end(actorOf('boss'), ban.id)
      expect(await apiTokens.find(token)).toBeUndefined()
      expect(await apiTokens.list(playerId)).toEqual([])
    })

    it('reach other processes by event, or by polling', async () => {
      const { startProcess, sanctions, actorOf } = await open()
      const near = await startProcess()
      const far = await startProcess(createMemoryEventBus({ log: silentLog }), 20)
      const ban = await sanctions.impose(actorOf('boss'), { kind: 'ban', address: '192.0.2.0/24', reason })
      await waitFor(() => near.inForce.findAddressBan('192.0.2.77') !== undefined)
      await waitFor(() => far.inForce.findAddressBan('192.0.2.77') !== undefined)
      await far.sanctions.end(actorOf('boss'), ban.id)
      expect(far.inForce.findAddressBan('192.0.2.77')).toBeUndefined()
      await sanctions.impose(actorOf('boss'), { kind: 'mute', email, reason })
      await waitFor(() => near.inForce.findMute(email) !== undefined)
      expect(near.inForce.findAddressBan('192.0.2.77')).toBeUndefined()
    })

    it('are complete in a process that missed many changes, and after a start', async () => {
      const { startProcess, sanctions, actorOf } = await open()
      const late = await startProcess(createMemoryEventBus({ log: silentLog }))
      for (let host = 1; host <= 70; host += 1)
        await sanctions.impose(actorOf('boss'), { kind: 'ban', address: `198.51.100.${host}`, reason })
      await late.inForce.catchUp()
      expect(late.inForce.list()).toHaveLength(70)
      expect((await startProcess()).inForce.list()).toEqual(late.inForce.list())
    })

    it('leave an administrator who is not banned when two ban each other at the same moment', async () => {
      const { startProcess, plant, actorOf, sanctions, permissions, inForce } = await open()
      const other = await plant('eve@example.com', { groups: ['admin'], passwordHash: someHash })
      const eve = { ...operator, email: other.email, playerId: other.playerId, rules: permissions.rulesFor(['admin']) }
      const elsewhere = await startProcess()
      const results = await Promise.allSettled([
        sanctions.impose(actorOf('boss'), { kind: 'ban', email: other.email, reason }),
        elsewhere.sanctions.impose(eve, { kind: 'ban', email: 'boss@example.com', reason }),
      ])
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { slug: 'last-administrator' } })
      await inForce.catchUp()
      expect(inForce.list()).toHaveLength(1)
    })

    it('that ended long ago are removed from memory, and stay in the list', async () => {
      const { startProcess, sanctions, clock, actorOf } = await open()
      await sanctions.impose(actorOf('mod'), { kind: 'mute', email, reason, until: inMinutes(1) })
      clock.advance(10 * 60_000)
      await sanctions.impose(actorOf('mod'), { kind: 'mute', email, reason })
      const { inForce } = await startProcess()
      expect([inForce.listOver(9), inForce.list().length]).toEqual([[], 1])
      expect((await sanctions.listSanctions({ limit: 9 })).sanctions).toHaveLength(2)
    })
  })

describeSanctions('memory', async () => {
  const store = createMemoryStore()
  return { store, dispose: () => store.close() }
})

describeSanctions('LMDB', async () => {
  const folder = await createTempDir()
  const store = createLmdbStore({ path: join(folder.path, 'records'), ids: systemIds })
  return {
    store,
    dispose: async () => {
      await store.close()
      await folder.remove()
    },
  }
})

describeDynamo('on DynamoDB', () => {
  let server: DynamoServer
  beforeAll(async () => {
    server = await openDynamoForTests()
  }, 180_000)
  afterAll(() => server.stop())
  describeSanctions('DynamoDB', async () => {
    const dynamo = await openDynamo(server.endpoint)
    const store = createDynamoStore({ dynamo, ids: systemIds })
    return { store, dispose: async () => dynamo.close() }
  })
})

describe('limits of sanctions', () => {
  const open = async () => {
    const fixture = await createSanctionFixture(createMemoryStore())
    return { ...fixture, ...(await fixture.startProcess()) }
  }
  const until = inMinutes(10)

  it.each([
    ['of oneself', 'mod', { kind: 'mute', email: 'mod@example.com', reason }, 'not-oneself'],
    ['of the own address', 'boss', { kind: 'ban', address: '203.0.113.0/24', reason }, 'not-oneself'],
    [
      'of a player with permissions that the caller lacks',
      'mod',
      { kind: 'warning', email: 'boss@example.com', reason },
      'beyond-own-permissions',
    ],
    ['of a player for ever without the permission', 'mod', { kind: 'ban', email, reason }, 'missing-permission'],
    ['of an address for ever without the permission', 'mod', { kind: 'ban', address: '192.0.2.1', reason }, 'missing-permission'],
    ['until the past', 'mod', { kind: 'mute', email, reason, until: inMinutes(-1) }, 'rule-broken'],
    ['until this moment', 'mod', { kind: 'mute', email, reason, until: inMinutes(0) }, 'rule-broken'],
    ['until an invalid time', 'mod', { kind: 'mute', email, reason, until: 'never' }, 'bad-request'],
    ['of account and address together', 'mod', { kind: 'ban', email, address: '192.0.2.1', reason, until }, 'rule-broken'],
    ['of neither', 'mod', { kind: 'ban', reason, until }, 'rule-broken'],
    ['that mutes an address', 'mod', { kind: 'mute', address: '192.0.2.1', reason }, 'rule-broken'],
    ['of the whole internet', 'boss', { kind: 'ban', address: '0.0.0.0/0', reason }, 'rule-broken'],
    ['without a visible reason', 'mod', { kind: 'mute', email, reason: ' \u200b ' }, 'bad-request'],
    ['with a reason that clears a terminal', 'mod', { kind: 'mute', email, reason: '\u001b[2J' }, 'bad-request'],
  ] as const)('refuse a sanction %s', async (_what, who, input, slug) => {
    const { sanctions, actorOf, inForce, close } = await open()
    await expect(sanctions.impose(actorOf(who), input, '203.0.113.5')).rejects.toMatchObject({ slug })
    expect(inForce.list()).toEqual([])
    await close()
  })

  it.each(['ban', 'mute', 'warning'] as const)('allow a %s of an email without an account', async (kind) => {
    const { sanctions, actorOf, inForce, close } = await open()
    const ghost = 'ghost@example.com'
    const input = { kind, email: ghost, reason, ...(kind !== 'warning' && { until }) }
    expect(await sanctions.impose(actorOf('mod'), input)).toMatchObject({ kind, email: ghost })
    expect(inForce.list()).toMatchObject([{ kind, email: ghost }])
    await close()
  })

  it('protect the last administrator, and sanctions that the caller could not impose', async () => {
    const { sanctions, actorOf, close } = await open()
    const boss = { kind: 'ban', email: 'boss@example.com', reason, until } as const
    await expect(sanctions.impose(operator, boss)).rejects.toMatchObject({ kind: 'conflict', slug: 'last-administrator' })
    const forever = await sanctions.impose(actorOf('boss'), { kind: 'ban', email, reason })
    await expect(sanctions.end(actorOf('mod'), forever.id)).rejects.toMatchObject({ slug: 'missing-permission' })
    const mute = await sanctions.impose(actorOf('boss'), { kind: 'mute', email: 'mod@example.com', reason })
    await expect(sanctions.end(actorOf('mod'), mute.id)).rejects.toMatchObject({ slug: 'not-oneself' })
    await close()
  })

  it('a warning ends when its own player has seen it', async () => {
    const { sanctions, actorOf, inForce, close } = await open()
    const warning = await sanctions.impose(actorOf('mod'), { kind: 'warning', email, reason })
    await sanctions.noteSeen('mod@example.com', [warning.id])
    expect(inForce.listWarnings(email)).toEqual([warning])
    await sanctions.noteSeen(email, [warning.id])
    expect(inForce.listWarnings(email)).toEqual([])
    expect((await sanctions.listSanctions({ limit: 1 })).sanctions[0]).toMatchObject({ endedBy: email })
    await close()
  })

  it('a ban is active without the token store, and tokens are revoked once it is back', async () => {
    const { startProcess: _, ...fixture } = await open()
    const { people, tokens, clock, actorOf, apiTokens, inForce } = fixture
    const { createSanctionService } = await import('../../../../shared/domain/sanctions/sanction-service.ts')
    let isAway = true
    const endAccount = async (playerId: string) => {
      if (isAway) throw new Error('away')
      await tokens.endAccount(playerId)
    }
    const sanctions = createSanctionService({ ...fixture, tokens: { endAccount }, apiTokens, inForce })
    const { playerId } = people.ada
    const token = await tokens.issue({ playerId, verified: true, signInId: systemIds.uuid(), signedInAt: clock.now() })
    clock.advance(1)
    await sanctions.impose(actorOf('mod'), { kind: 'ban', email, reason, until })
    expect(inForce.findBan(email)).toBeDefined()
    isAway = false
    await waitFor(async () => (await tokens.find(token)) === undefined)
    await fixture.close()
  })
})
