import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Log } from '../../../../kernel/log.ts'
import { withFileLock } from '../../../../platform/storage/files/file-lock.ts'
import type { AuditLog } from '../../../audit/audit-log.ts'
import type { Account } from '../../account.ts'
import { nameSkeleton } from '../../names/name-skeleton.ts'
import { type AccountIndex, listEndedOf } from '../account-index.ts'
import { pageAccounts } from '../account-pages.ts'
import type { AccountStore } from '../account-store.ts'
import { createChangeQueue } from '../change-queue.ts'
import { commitToUsersFile } from './users-file-commit.ts'
import { absent, createUsersFileReader, type UsersSnapshot, usersFileVersion, usersFileVersionNow } from './users-file-reader.ts'

export type YamlAccountStoreOptions = {
  readonly path: string
  /** Whether the account can administer, by the groups in force at this moment. */
  readonly isAdministrator: (account: Account) => boolean
  readonly audit: AuditLog
  readonly clock: Clock
  readonly log: Log
}

/**
 * Accounts in the `users.yaml` at `path`, which people may edit while any number of processes on this machine use it: see
 * docs/decisions/0006-users-yaml.md. Reads at one time share one look at the file's date. A change writes the whole file, together with
 * all changes that were asked for meanwhile.
 */
export const createYamlAccountStore = (options: YamlAccountStoreOptions): AccountStore => {
  const { path, isAdministrator, audit, clock } = options
  const reader = createUsersFileReader(options)
  let last: UsersSnapshot | undefined
  let checking: Promise<UsersSnapshot> | undefined

  const keep = (snapshot: UsersSnapshot): UsersSnapshot => {
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

  /** Whether the file was looked at already for those whom one answer of Redis let go on: nothing can have been heard of since. */
  let isCurrent = false
  const noteCurrent = (): void => {
    isCurrent = true
    // Behind all promises that are due: no event of the outside comes in between.
    process.nextTick(() => {
      isCurrent = false
    })
  }

  /** The file as it is now: a look that is under way may have begun too early. Where nothing has changed, it is synchronous. */
  const lookAnew = async (): Promise<UsersSnapshot> => {
    if (last && isCurrent) return last
    if (last && isTelling(last) && last.version === usersFileVersionNow(path)) {
      noteCurrent()
      return last
    }
    await checking?.catch(() => undefined)
    return look()
  }

  const readIndex = async (): Promise<AccountIndex> => reader.expectFile(await lookAnew()).index

  const queue = createChangeQueue(async (batch) => {
    if (usersFileVersionNow(path) === absent) await mkdir(dirname(path), { recursive: true })
    const commit = { path, isAdministrator, audit, clock, reader, batch, last: () => last, keep }
    await withFileLock(path, () => commitToUsersFile(commit))
  })

  return {
    findByEmail: async (email) => (await readIndex()).byEmail.get(email),
    findByPlayerId: async (playerId) => (await readIndex()).byPlayerId.get(playerId),
    findBySubject: async (subject) => (await readIndex()).bySubject.get(subject),
    findByName: async (displayName) => (await readIndex()).findByName(nameSkeleton(displayName)),
    isAdministrator,
    listAccounts: async (query) => pageAccounts(await readIndex(), query),
    listAdministrators: async () => (await readIndex()).sorted().filter(isAdministrator),
    listEnded: async (nowMs) => listEndedOf(await readIndex(), nowMs),
    version: async () => {
      const found = await lookAnew()
      reader.expectFile(found)
      return found.version ?? (await usersFileVersion(path))
    },
    // What was read last: readiness asks for accounts at the same time, and nobody waits for the disk twice.
    warnings: async () => (last?.file ? reader.warningsOf(last.file) : []),
    change: queue.change,
    move: queue.move,
    close: async () => {
      await queue.drain()
      await reader.close()
    },
  }
}
