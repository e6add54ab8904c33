import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AuditLog } from '../audit/audit-log.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { withFileLock } from '../storage/file-lock.ts'
import type { Account } from './account.ts'
import { type AccountIndex, pageAccounts } from './account-index.ts'
import type { AccountStore } from './account-store.ts'
import { createChangeQueue } from './change-queue.ts'
import type { UsersFile } from './users-file.ts'
import { commitToUsersFile } from './users-file-commit.ts'
import { absent, createUsersFileReader, type UsersSnapshot, usersFileVersion, usersFileVersionNow } from './users-file-reader.ts'

export type YamlAccountStoreOptions = {
  readonly path: string
  /** Whether the account can administer, by the groups in force at this moment. */
  readonly isAdministrator: (account: Account) => boolean
  readonly audit: AuditLog
  readonly clock: Clock
  readonly log: Log
  /** The least time between two looks at the file for accounts that are known, in milliseconds; 250 when absent. */
  readonly checkEveryMs?: number
}

/**
 * Accounts in the `users.yaml` at `path`, which people may edit while any number of processes on this machine use it: see
 * docs/decisions/0006-users-yaml.md. Reading costs a look at the file's date now and then, a change one write of the whole file,
 * shared by all that were asked for meanwhile.
 */
export const createYamlAccountStore = (options: YamlAccountStoreOptions): AccountStore => {
  const { path, isAdministrator, audit, clock, checkEveryMs = 250 } = options
  const reader = createUsersFileReader(options)
  let last: UsersSnapshot | undefined
  let checkedAt = Number.NEGATIVE_INFINITY
  let checking: Promise<UsersSnapshot> | undefined

  const keep = (snapshot: UsersSnapshot): UsersSnapshot => {
    checkedAt = clock.monotonic()
    last = snapshot
    return snapshot
  }

  /** Whether its version tells if there is anything new. */
  const isTelling = ({ version, doubtfulFrom }: UsersSnapshot): boolean =>
    version !== undefined && clock.monotonic() < (doubtfulFrom ?? Number.POSITIVE_INFINITY)

  const check = async (): Promise<UsersSnapshot> => {
    const before = last
    const isSame = before && isTelling(before) && before.version === (await usersFileVersion(path))
    const found = isSame ? before : await reader.read(before)
    // A change of our own that was made meanwhile is newer than what was found.
    return last === before || last === undefined ? keep(found) : last
  }

  const look = (): Promise<UsersSnapshot> => {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }

  const isFresh = (): boolean => clock.monotonic() - checkedAt < checkEveryMs

  const readFile = async (): Promise<UsersFile> => reader.expectFile(last !== undefined && isFresh() ? last : await look())

  /** The file as it is now: a look that is under way may have begun too early. It was looked at a moment ago, so this is by return. */
  const lookAnew = async (): Promise<UsersSnapshot> => {
    if (last && isTelling(last) && last.version === usersFileVersionNow(path)) return keep(last)
    await checking?.catch(() => undefined)
    return look()
  }

  /** An account that is not known may have been added by another process a moment ago: its owner holds a token already. */
  const find = async (by: (index: AccountIndex) => Account | undefined): Promise<Account | undefined> => {
    const isOlder = checking !== undefined || isFresh()
    const found = by((await readFile()).index)
    return found === undefined && isOlder ? by(reader.expectFile(await lookAnew()).index) : found
  }

  const queue = createChangeQueue(async (batch) => {
    if (usersFileVersionNow(path) === absent) await mkdir(dirname(path), { recursive: true })
    const commit = { path, isAdministrator, audit, clock, reader, batch, last: () => last, keep }
    await withFileLock(path, () => commitToUsersFile(commit))
  })

  return {
    findByEmail: (email) => find(({ byEmail }) => byEmail.get(email)),
    findLatest: async (email) => reader.expectFile(await lookAnew()).index.byEmail.get(email),
    findByPlayerId: (playerId) => find(({ byPlayerId }) => byPlayerId.get(playerId)),
    findBySubject: (subject) => find(({ bySubject }) => bySubject.get(subject)),
    isAdministrator,
    listAccounts: async (query) => pageAccounts((await readFile()).index, query),
    listAdministrators: async () => (await readFile()).index.sorted().filter(isAdministrator),
    version: async () => {
      const found = await lookAnew()
      reader.expectFile(found)
      return found.version ?? (await usersFileVersion(path))
    },
    change: queue.change,
    close: queue.drain,
  }
}
