import { describe, expect, it } from '@jest/globals'
import { createDeletedAccounts } from '../../../shared/domain/accounts/deleted-accounts.ts'
import { createSignInLog, listSignIns } from '../../../shared/domain/accounts/sign-in-log.ts'
import { createMemoryAccountStore } from '../../../shared/domain/accounts/store/memory-account-store.ts'
import { createAuditEntry } from '../../../shared/domain/audit/audit-entry.ts'
import { createStoreAuditLog } from '../../../shared/domain/audit/store-audit-log.ts'
import { batchId, chatBatches, slotOf } from '../../../shared/domain/chat/chat-batch.ts'
import { modulePlayers, playerDataId } from '../../../shared/domain/modules/data/module-data.ts'
import { playerIgnores } from '../../../shared/domain/players/ignored-players.ts'
import { playerStates, savedPositionId, savedPositions } from '../../../shared/domain/players/player-state.ts'
import { createZoneSnapshots } from '../../../shared/domain/zones/snapshots/zone-snapshots.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { systemIds } from '../../../shared/kernel/ids.ts'
import { createTurns } from '../../../shared/kernel/turns.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import { createRetention } from '../../../shared/services/retention.ts'
import { makeAccount } from '../../support/accounts/stored-accounts.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { createCapturedLog, silentLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const dayMs = 86_400_000

const open = (on: (store: Store) => Store = (store) => store) => {
  const clock = createFixedClock()
  const store = createMemoryStore()
  const deletedAccounts = createDeletedAccounts({ store, clock })
  const limits = { days: 30, maxMiB: 1 }
  const chatLimits = { keepDays: 7, maxMiB: 1 }
  const audit = createStoreAuditLog(store)
  const keepAccount = async (name: string) => {
    const playerId = systemIds.uuid()
    const createdAt = new Date(clock.now()).toISOString()
    await deletedAccounts.keep({ playerId, email: `${name}@example.com`, displayName: name, groups: [], createdAt })
    return playerId
  }
  const writeEntry = () =>
    audit.append([
      createAuditEntry(
        { clock, ids: systemIds },
        { email: 'a@example.com', via: 'cli', requestId: 'r' },
        { action: 'account.update', target: 'b@example.com', before: 1, after: 2 },
      ),
    ])
  const { log, lines } = createCapturedLog()
  const faults: string[] = []
  const accountStore = createMemoryAccountStore({ isAdministrator: () => false, audit })
  const addAccount = async (email: string) => {
    const account = makeAccount(email)
    await accountStore.change(email, () => ({ next: account, result: undefined }))
    return account
  }
  /** Data in two modules, sign-ins, switched-off commands, an ignored player, and positions in two worlds. */
  const play = async (playerId: string) => {
    for (const module of ['hello', 'shop']) await store.put(modulePlayers, playerDataId(module, playerId), stored)
    await createSignInLog({ store, clock, log: silentLog }).note(playerId, 'password')
    await store.put(playerStates, playerId, { disabledBySelf: ['help'], disabledByOthers: [] })
    await store.put(playerIgnores, playerId, { playerIds: ['other'] })
    for (const world of ['a', 'b'])
      await store.put(savedPositions, savedPositionId(world, playerId), { x: 1, y: 64, z: 1, yaw: 0, pitch: 0 })
  }
  const listData = async (playerId: string) => [
    ...(await Promise.all(['hello', 'shop'].map((module) => store.get(modulePlayers, playerDataId(module, playerId))))),
    (await listSignIns(store, playerId))[0],
    await store.get(playerStates, playerId),
    await store.get(playerIgnores, playerId),
    ...(await Promise.all(['a', 'b'].map((world) => store.get(savedPositions, savedPositionId(world, playerId))))),
  ]
  const retention = createRetention({
    accountStore: { ...accountStore, warnings: async () => faults },
    ids: systemIds,
    snapshots: createZoneSnapshots({ store, clock, ids: systemIds, keptDays: () => limits.days }),
    store: on(store),
    deletedAccounts,
    clock,
    turns: createTurns(),
    log,
    configs: { get: () => ({ audit: limits, chat: chatLimits }) as never },
  })
  return {
    clock,
    store,
    deletedAccounts,
    audit,
    limits,
    keepAccount,
    writeEntry,
    retention,
    lines,
    accountStore,
    addAccount,
    faults,
    play,
    listData,
  }
}
const stored = { version: 1, value: { visits: 3 } }
const nothing = Array.from({ length: 7 }, () => undefined)
const never = () => false

describe('the retention of old data', () => {
  it('removes audit entries by the current settings, and any number of deleted accounts', async () => {
    const { clock, store, audit, limits, keepAccount, writeEntry, retention } = open()
    const old = await Promise.all(Array.from({ length: 130 }, (_, index) => keepAccount(`old${index}`)))
    await writeEntry()
    clock.advance(20 * dayMs)
    const young = await keepAccount('young')
    await retention.pass(never)
    expect((await audit.listEntries({ limit: 10 })).entries).toHaveLength(1)
    clock.advance(10 * dayMs + 1)
    await retention.pass(never)
    expect((await audit.listEntries({ limit: 10 })).entries).toEqual([])
    const retained = (await store.list({ name: 'deleted-accounts', parse: (value) => value }, { limit: 1000 })).records
    expect(retained.map(({ id }) => id)).toEqual([young])
    expect(old).not.toContain(young)
    await writeEntry()
    clock.advance(2 * dayMs)
    limits.days = 1
    await retention.pass(never)
    expect((await audit.listEntries({ limit: 10 })).entries).toEqual([])
  })

  it('erases the data of a deleted account with the account, in the audit log of each module', async () => {
    const { clock, audit, deletedAccounts, play, listData, addAccount, retention } = open()
    const [gone, other] = [makeAccount('gone@example.com'), await addAccount('other@example.com')]
    await deletedAccounts.keep(gone)
    await play(gone.playerId)
    await play(other.playerId)
    clock.advance(29 * dayMs)
    await retention.pass(never)
    expect(await listData(gone.playerId)).not.toContain(undefined)
    clock.advance(2 * dayMs)
    await retention.pass(never)
    expect(await listData(gone.playerId)).toEqual(nothing)
    expect(await listData(other.playerId)).not.toContain(undefined)
    const { entries } = await audit.listEntries({ limit: 10 })
    expect(entries).toHaveLength(2)
    for (const module of ['hello', 'shop'])
      expect(entries).toContainEqual(
        expect.objectContaining({
          action: 'module-player.erase',
          actor: 'system',
          target: `${module}/players/${gone.playerId}`,
          before: null,
        }),
      )
  })

  it('erases data without an account, 30 days after the account is missing', async () => {
    const { clock, play, listData, accountStore, addAccount, faults, retention } = open()
    const [gone, back] = [await addAccount('gone@example.com'), await addAccount('back@example.com')]
    for (const { playerId } of [gone, back]) await play(playerId)
    await retention.pass(never)
    for (const { email } of [gone, back]) await accountStore.change(email, () => ({ next: undefined, result: undefined }))
    await retention.pass(never)
    clock.advance(29 * dayMs)
    await retention.pass(never)
    expect(await listData(gone.playerId)).not.toContain(undefined)
    await accountStore.change(back.email, () => ({ next: back, result: undefined }))
    clock.advance(2 * dayMs)
    // A broken entry of users.yaml may be the account.
    faults.push('Line 3 is not an account.')
    await retention.pass(never)
    expect(await listData(gone.playerId)).not.toContain(undefined)
    faults.pop()
    await retention.pass(never)
    expect(await listData(gone.playerId)).toEqual(nothing)
    expect(await listData(back.playerId)).not.toContain(undefined)
  })

  it('finds missing accounts among more records than one pass reads', async () => {
    const { clock, store, play, listData, retention } = open()
    const players = Array.from({ length: 1100 }, () => systemIds.uuid()).sort()
    for (const playerId of players) await store.put(modulePlayers, playerDataId('hello', playerId), stored)
    const last = players.at(-1) ?? ''
    await play(last)
    for (const _ of [1, 2, 3]) await retention.pass(never)
    clock.advance(31 * dayMs)
    for (const _ of [1, 2]) await retention.pass(never)
    expect(await listData(last)).toEqual(nothing)
    expect((await store.list(modulePlayers, { limit: 1 })).records).toEqual([])
  })

  it('is delayed while the store is unavailable, with a log entry', async () => {
    const away = () => Promise.reject(new AppError('unavailable', 'service-unavailable', 'The store is away.'))
    const { retention, lines } = open((store) => ({ ...store, get: away }))
    await retention.pass(never)
    expect(lines).toEqual([expect.objectContaining({ msg: expect.stringContaining('cannot be deleted') })])
    await retention.pass(() => true)
    expect(lines).toHaveLength(1)
  })

  it('repeats until it is stopped', async () => {
    const { clock, audit, writeEntry, retention } = open()
    const isEmpty = async () => (await audit.listEntries({ limit: 1 })).entries.length === 0
    const end = retention.keepUp(1)
    for (const _ of [1, 2]) {
      await writeEntry()
      clock.advance(31 * dayMs)
      await waitFor(isEmpty)
    }
    end()
    expect(await isEmpty()).toBe(true)
  })

  it('deletes chat that is too old', async () => {
    const { clock, store, retention } = open()
    await store.put(chatBatches, batchId(slotOf(clock.now()), 'node', 1), { world: 'one', lines: [] })
    clock.advance(6 * dayMs)
    await retention.pass(never)
    expect((await store.list(chatBatches)).records).toHaveLength(1)
    clock.advance(2 * dayMs)
    await retention.pass(never)
    expect((await store.list(chatBatches)).records).toEqual([])
  })
})
