import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Account } from '../../../../shared/domain/accounts/account.ts'
import { sweepGrants } from '../../../../shared/domain/accounts/grants/sweep-grants.ts'
import { createGrantChanges } from '../../../../shared/domain/accounts/service/change-grants.ts'
import type { AccountStore } from '../../../../shared/domain/accounts/store/account-store.ts'
import { createMemoryAccountStore } from '../../../../shared/domain/accounts/store/memory-account-store.ts'
import { createStoreAccountStore } from '../../../../shared/domain/accounts/store/records/record-account-store.ts'
import { createYamlAccountStore } from '../../../../shared/domain/accounts/store/users-file/yaml-account-store.ts'
import { createStoreAuditLog } from '../../../../shared/domain/audit/store-audit-log.ts'
import { operatorRules } from '../../../../shared/domain/permissions/operator-rules.ts'
import { createPermissions } from '../../../../shared/domain/permissions/permissions.ts'
import { systemIds } from '../../../../shared/kernel/ids.ts'
import { createMemoryStore } from '../../../../shared/platform/storage/memory-store.ts'
import { createFixedClock } from '../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../support/time/silent-log.ts'

const startMs = Date.UTC(2026, 10, 23)
const email = 'bob@example.com'
const account: Account = {
  email,
  playerId: '00000000-0000-4000-8000-000000000001',
  displayName: 'Bob',
  groups: [],
  createdAt: '2026-11-23T00:00:00.000Z',
}
const isAdministrator = () => false

const kinds = ['memory', 'records', 'users.yaml'] as const

const createScene = async (kind: (typeof kinds)[number]) => {
  const store = createMemoryStore()
  const clock = createFixedClock(startMs)
  const audit = createStoreAuditLog(store)
  const folder = await mkdtemp(join(tmpdir(), 'grants-'))
  const path = join(folder, 'users.yaml')
  const open: Record<(typeof kinds)[number], () => AccountStore> = {
    memory: () => createMemoryAccountStore({ isAdministrator, audit }),
    records: () => createStoreAccountStore({ store, isAdministrator }),
    'users.yaml': () => createYamlAccountStore({ path, isAdministrator, audit, clock, log: silentLog }),
  }
  const accountStore = open[kind]()
  await accountStore.change(email, () => ({ next: account, result: undefined }))
  const permissions = createPermissions({ groups: [{ name: 'builder', permissions: ['world.build'] }], defaultGroups: [] }, clock)
  const unused = {} as never
  const accounts = createGrantChanges({
    accountStore,
    deletedAccounts: unused,
    permissions,
    passwords: unused,
    tokens: unused,
    isBanned: () => false,
    moveSanctions: async () => undefined,
    clock,
    ids: systemIds,
    log: silentLog,
    events: { publish: async () => {} },
  })
  const actor = { email: 'operator', playerId: 'operator', displayName: 'operator', verified: true, rules: operatorRules }
  const operator = { ...actor, via: 'cli', requestId: 'test' } as const
  const close = async () => {
    await accountStore.close()
    await rm(folder, { recursive: true })
  }
  return { accountStore, accounts, operator, clock, audit, path, close }
}

describe.each(kinds)('grants in %s', (kind) => {
  it('are stored, end with one audit entry for any number of sweeps, and keep the others', async () => {
    const { accountStore, accounts, operator, clock, audit, close } = await createScene(kind)
    const until = new Date(startMs + 60_000).toISOString()
    await accounts.addGrant(operator, email, { group: 'builder', until })
    const grant = await accounts.addGrant(operator, email, { permission: 'world.*', reason: 'it\'s "quoted": # {and} [so]' })
    expect((await accountStore.findByEmail(email))?.grants).toMatchObject([{ group: 'builder' }, grant])
    const sweep = () => sweepGrants({ accounts, accountStore, clock, log: silentLog })
    clock.advance(59_999)
    await sweep()
    expect((await accountStore.findByEmail(email))?.grants).toHaveLength(2)
    clock.advance(1)
    await Promise.all([sweep(), sweep(), sweep()])
    expect((await accountStore.findByEmail(email))?.grants).toEqual([grant])
    const { entries } = await audit.listEntries({ limit: 10, actor: 'system' })
    expect(entries).toMatchObject([{ action: 'account.grants-ended', target: email, after: { grants: [grant] } }])
    expect(await accountStore.listEnded(clock.now())).toEqual([])
    await accounts.removeGrant(operator, email, grant.id)
    expect(await accountStore.findByEmail(email)).toEqual(account)
    await close()
  })
})

describe('grants written into users.yaml by hand', () => {
  it('apply, and keep their comments when others are added and removed', async () => {
    const { accountStore, accounts, operator, path, close } = await createScene('users.yaml')
    const text = await readFile(path, 'utf8')
    const byHand = `    grants:
      # until the tower stands
      - id: tower
        group: builder # only there
        by: operator
        at: 2026-11-23T00:00:00.000Z
    createdAt`
    await writeFile(path, text.replace(/ {4}createdAt/, byHand))
    expect((await accountStore.findByEmail(email))?.grants).toMatchObject([{ id: 'tower', group: 'builder' }])
    const made = await accounts.addGrant(operator, email, { group: 'builder' })
    expect(await readFile(path, 'utf8')).toContain(
      '# until the tower stands\n      - id: tower\n        group: builder # only there',
    )
    await accounts.removeGrant(operator, email, made.id)
    expect((await accountStore.findByEmail(email))?.grants).toHaveLength(1)
    await writeFile(path, (await readFile(path, 'utf8')).replace('id: tower', 'id: tower!'))
    await expect(accountStore.findByEmail(email)).rejects.toMatchObject({ slug: 'accounts-unreadable' })
    await close()
  })
})
