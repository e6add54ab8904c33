import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../../../kernel/clock.ts'
import { AppError } from '../../../../kernel/errors.ts'
import type { Log } from '../../../../kernel/log.ts'
import { replaceFile } from '../../../../platform/storage/files/atomic-file.ts'
import { withFileLock } from '../../../../platform/storage/files/file-lock.ts'
import type { AuditEntry, AuditLog } from '../../../audit/audit-log.ts'
import type { Account } from '../../account.ts'
import { type AccountChanges, type AccountIndex, findNamed, listEndedOf } from '../account-index.ts'
import { pageAccounts } from '../account-pages.ts'
import type { AccountStore } from '../account-store.ts'
import { createChangeQueue, type QueuedChange } from '../change-queue.ts'
import { type ChangePlan, planChanges } from '../plan-changes.ts'
import { editUsersFile, type UsersFile } from './users-file.ts'
import { accountsUnreadable, UsersFileFault } from './users-file-fault.ts'
import {
  absent,
  createPause,
  createUsersFileReader,
  doubtfulAfterMs,
  type UsersFileReader,
  type UsersSnapshot,
  usersFileVersion,
  usersFileVersionNow,
} from './users-file-reader.ts'

/** Our change of the file that is being written. */
type OwnWrite = { readonly file: UsersFile; readonly changes: AccountChanges }

type UsersFileCommit = {
  readonly path: string
  readonly isAdministrator: (account: Account) => boolean
  readonly audit: AuditLog
  readonly clock: Clock
  readonly reader: UsersFileReader
  readonly batch: readonly QueuedChange[]
  readonly last: () => UsersSnapshot | undefined
  readonly write: (own: OwnWrite, run: () => Promise<string | undefined>) => Promise<string | undefined>
  readonly keep: (snapshot: UsersSnapshot) => UsersSnapshot
}

/** How often a batch is decided again because another program edits the file at the same moment. */
const attemptsMax = 20

const isSameEntry = (one: AuditEntry, other: AuditEntry): boolean =>
  isDeepStrictEqual({ ...one, id: '', at: '' }, { ...other, id: '', at: '' })

/** Appends only entries that a previous attempt has not appended. */
const createAppender = (audit: AuditLog) => {
  const appended: AuditEntry[] = []
  return async (entries: readonly AuditEntry[]): Promise<void> => {
    const fresh =
      appended.length === 0 ? entries : entries.filter((entry) => !appended.some((known) => isSameEntry(entry, known)))
    if (fresh.length === 0) return
    await audit.append(fresh)
    appended.push(...fresh)
  }
}

const editFile = async (file: UsersFile, { changes }: ChangePlan, { clock, reader }: UsersFileCommit): Promise<UsersFile> => {
  try {
    return await editUsersFile(file, changes, { previous: file, pause: createPause(clock), documents: reader.documents })
  } catch (fault) {
    throw fault instanceof UsersFileFault ? accountsUnreadable(fault) : fault
  }
}

/**
 * Makes one batch of changes while it holds the lock of the file. Appends to the audit log while the new text is written next to the file,
 * then replaces the file. If a program without the lock edits the file in the meantime, starts again from the edited text. An error rejects
 * the whole batch.
 */
const commitToUsersFile = async (commit: UsersFileCommit): Promise<void> => {
  const { path, reader, clock, keep } = commit
  const append = createAppender(commit.audit)
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    // Read each time, even if the modification time is the same: its resolution is too low to rule out an edit.
    const snapshot = keep(await reader.read(commit.last()))
    const file = reader.expectFile(snapshot)
    const plan = planChanges(file.index, commit.batch, commit.isAdministrator)
    if (plan.changes.size === 0) {
      await append(plan.audit)
      return plan.settle()
    }
    const edited = await editFile(file, plan, commit)
    const moved = new Error('the accounts file was edited in the meantime')
    const expectUnmoved = () => {
      if (usersFileVersionNow(path) !== snapshot.version) throw moved
    }
    const duringSync = async () => {
      expectUnmoved()
      await append(plan.audit)
    }
    try {
      const replace = () => replaceFile(path, edited.bytes, { duringSync, beforeRename: expectUnmoved })
      const version = await commit.write({ file: edited, changes: plan.changes }, replace)
      edited.index.apply(plan.changes)
      keep({ version, file: edited, doubtfulFrom: clock.monotonic() + doubtfulAfterMs })
      return plan.settle()
    } catch (error) {
      if (error !== moved) throw error
    }
  }
  throw new AppError(
    'unavailable',
    'service-unavailable',
    'Too many edits of the accounts file at once. Try again in a moment.',
    {
      retryAfterSeconds: 1,
    },
  )
}

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

  /** A read may find our own change on disk before the write ends, or after its end if the read began earlier. */
  let writing: OwnWrite | undefined
  const findOwn = (bytes: Buffer): UsersFile | undefined => {
    if (last?.file?.bytes.equals(bytes)) return last.file
    if (!writing?.file.bytes.equals(bytes)) return undefined
    writing.file.index.apply(writing.changes)
    return writing.file
  }
  const write: UsersFileCommit['write'] = async (own, run) => {
    writing = own
    try {
      return await run()
    } finally {
      writing = undefined
    }
  }

  const check = async (): Promise<UsersSnapshot> => {
    const before = last
    const isSame = before && isTelling(before) && before.version === (await usersFileVersion(path))
    const found = isSame ? before : await reader.read(before, findOwn)
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
    const commit = { path, isAdministrator, audit, clock, reader, batch, last: () => last, write, keep }
    await withFileLock(path, () => commitToUsersFile(commit))
  })

  return {
    findByEmail: async (email) => (await readIndex()).byEmail.get(email),
    findByPlayerId: async (playerId) => (await readIndex()).byPlayerId.get(playerId),
    findBySubject: async (subject) => (await readIndex()).bySubject.get(subject),
    findByName: async (displayName, except) => findNamed(await readIndex(), displayName, except),
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
