import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../../../kernel/clock.ts'
import { AppError } from '../../../../kernel/errors.ts'
import { replaceFile } from '../../../../platform/storage/files/atomic-file.ts'
import type { AuditEntry, AuditLog } from '../../../audit/audit-log.ts'
import type { Account } from '../../account.ts'
import type { QueuedChange } from '../change-queue.ts'
import { type ChangePlan, planChanges } from '../plan-changes.ts'
import { editUsersFile, type UsersFile } from './users-file.ts'
import { accountsUnreadable, UsersFileFault } from './users-file-fault.ts'
import {
  createPause,
  doubtfulAfterMs,
  type UsersFileReader,
  type UsersSnapshot,
  usersFileVersionNow,
} from './users-file-reader.ts'

export type UsersFileCommit = {
  readonly path: string
  readonly isAdministrator: (account: Account) => boolean
  readonly audit: AuditLog
  readonly clock: Clock
  readonly reader: UsersFileReader
  readonly batch: readonly QueuedChange[]
  readonly last: () => UsersSnapshot | undefined
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
export const commitToUsersFile = async (commit: UsersFileCommit): Promise<void> => {
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
      const version = await replaceFile(path, edited.parts, { duringSync, beforeRename: expectUnmoved })
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
