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
  /** Whether the account can administer by the currently active groups. */
  readonly isAdministrator: (account: Account) => boolean
  readonly audit: AuditLog
  readonly clock: Clock
  readonly log: Log
}

/**
 * Accounts in the `users.yaml` at `path`. People may edit the file while any number of processes on this machine use it: see
 * docs/decisions/0006-users-yaml.md. Concurrent reads share one check of the file's version. A change writes the whole file, together with
 * all changes queued in the meantime.
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

  /** Whether an equal version proves that nothing changed. */
  const isTelling = ({ version, doubtfulFrom }: UsersSnapshot): boolean =>
    version !== undefined && clock.monotonic() < (doubtfulFrom ?? Number.POSITIVE_INFINITY)

  const check = async (): Promise<UsersSnapshot> => {
    const before = last
    const isSame = before && isTelling(before) && before.version === (await usersFileVersion(path))
    const found = isSame ? before : await reader.read(before)
    // Our own change in the meantime is newer than this read.
    return last === before || last === undefined ? keep(found) : last
  }

  const look = (): Promise<UsersSnapshot> => {
    checking ??= check().finally(() => {
      checking = undefined
    })
    return checking
  }

  /** Whether the file has been checked in this turn of the event loop: no external event can have arrived since. */
  let isCurrent = false
  const noteCurrent = (): void => {
    isCurrent = true
    // Runs after all pending promises, before any external event.
    process.nextTick(() => {
      isCurrent = false
    })
  }

  /** The file as it is now. A check in progress may have begun too early, so it waits for it and checks again. Synchronous if nothing has changed. */
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
    findByName: async (displayName, except) =>
      (await readIndex()).findByName(nameSkeleton(displayName), ({ email }) => email !== except),
    isAdministrator,
    listAccounts: async (query) => pageAccounts(await readIndex(), query),
    listAdministrators: async () => (await readIndex()).sorted().filter(isAdministrator),
    listEnded: async (nowMs) => listEndedOf(await readIndex(), nowMs),
    version: async () => {
      const found = await lookAnew()
      reader.expectFile(found)
      return found.version ?? (await usersFileVersion(path))
    },
    // Uses the last read: readiness also reads accounts at the same time, so this avoids a second read.
    warnings: async () => (last?.file ? reader.warningsOf(last.file) : []),
    change: queue.change,
    move: queue.move,
    close: async () => {
      await queue.drain()
      await reader.close()
    },
  }
}
