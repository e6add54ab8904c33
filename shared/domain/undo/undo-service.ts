import { AppError } from '../../kernel/errors.ts'
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts'
import { nameChanges } from './changed-since.ts'
import { notUndoable, type UndoActor, type Undoer, type UndoPermission, type UndoPlan } from './undoer.ts'

/** What an undo did: the entry of the new write, and the thing as it is now (`null`: gone). */
export type Undone = { readonly entry: AuditEntry; readonly restored: unknown }

/** Takes admin writes back, by their audit entries. An undo is a write like any other, and so can be taken back too. */
export type UndoService = {
  /** Those that any undo may need: who holds none of them need not ask which one a write needed. */
  readonly permissions: readonly UndoPermission[]
  /** Which permission the write needed. Throws `not-found`, and `not-undoable` for kinds of writes that stay. */
  permissionOf(id: string): Promise<UndoPermission>
  /** What an undo would restore; writes nothing. Throws `not-found`, `changed-since`, `not-undoable`. */
  rehearse(actor: UndoActor, id: string): Promise<unknown>
  /** Throws as `rehearse`, and what the write itself throws. Of two at the same moment one is refused with `changed-since`. */
  undo(actor: UndoActor, id: string): Promise<Undone>
}

/** Why writes of these kinds stay. */
const reasons: Readonly<Record<string, string>> = {
  'account.claim': 'Undo does not remove the first administrator. Add another administrator, then delete the account.',
  'account.guessed': 'Nothing was changed: wrong passwords were tried. A new password keeps them out.',
  'account.grants-ended': 'Undo does not renew a grant that has ended. Grant it again.',
  'account.register-again': 'Nothing was written: the email had an account.',
  'account.reset-link': 'A reset link ends by itself within a day; a new password makes it worthless at once.',
  'invitation.create': 'Undo does not revoke invitations. Delete it.',
  'invitation.remove': 'The code of an invitation is not kept: make another.',
  'account.link': 'An identity provider vouched for this account: take that back by deleting the account.',
  'backup.create': 'Undo does not delete backups. The oldest are deleted automatically.',
  'config.reload': 'Undo does not reverse a reload. Undo the save, then reload.',
  'config.save-failed': 'That save failed. There is nothing to undo.',
  'job.cancel': 'Undo does not resume a cancelled job. Start it again.',
  'player.kick': 'A kick is over: the player may come back.',
  'zone.snapshot': 'A snapshot changes nothing: delete it.',
  'zone.snapshot-delete': 'The blocks of a deleted snapshot are not kept.',
  'world.create': 'Undo does not delete worlds. Ask an operator to delete it.',
  'world.delete': 'A deleted world is brought back by an operator: npm run world -- import, with its folder in trash.',
  'world.rename': 'A renamed world is renamed back by an operator: npm run world -- rename.',
  'world.return': 'A world that was brought back is deleted by an operator.',
  'world.pregen': 'Generated columns stay. The job can be cancelled while it runs.',
}

const attemptsMax = 5

const isStale = (error: unknown): boolean =>
  error instanceof AppError && (error.kind === 'stale' || error.slug === 'already-exists' || error.kind === 'not-found')

type Deps = { readonly audit: Pick<AuditLog, 'find' | 'listEntries'>; readonly undoers: readonly Undoer[] }

export const createUndoService = ({ audit, undoers }: Deps): UndoService => {
  const find = async (id: string): Promise<{ readonly entry: AuditEntry; readonly undoer: Undoer }> => {
    const entry = await audit.find(id)
    if (entry === undefined) throw new AppError('not-found', 'not-found', 'The audit log has no entry of that id.')
    const undoer = undoers.find(({ actions }) => actions.includes(entry.action))
    if (undoer === undefined)
      throw notUndoable(reasons[entry.action] ?? `Nothing takes a write of the kind ${entry.action} back.`)
    return { entry, undoer }
  }

  /** The entry that the write left; undefined where somebody else had made the thing so, and nothing was written. */
  const findNew = async ({ requestId }: UndoActor, undoes: string): Promise<AuditEntry | undefined> => {
    const { entries } = await audit.listEntries({ limit: 50, requestId })
    return entries.find((one) => one.undoes === undoes)
  }

  return {
    permissions: [...new Set(undoers.map(({ permission }) => permission))],
    permissionOf: async (id) => (await find(id)).undoer.permission,
    rehearse: async (actor, id) => {
      const { entry, undoer } = await find(id)
      try {
        return (await undoer.plan(entry, actor)).would
      } catch (error) {
        throw await nameChanges(audit, entry, error)
      }
    },
    undo: async (actor, id) => {
      const { entry, undoer } = await find(id)
      const undoing: UndoActor = { ...actor, undoes: id }
      const planNamed = async (): Promise<UndoPlan> => {
        try {
          return await undoer.plan(entry, undoing)
        } catch (error) {
          throw await nameChanges(audit, entry, error)
        }
      }
      for (let attempt = 1; ; attempt += 1) {
        const plan = await planNamed()
        try {
          const restored = await plan.apply(undoing)
          const made = await findNew(undoing, id)
          if (made !== undefined) return { entry: made, restored }
          if (attempt === attemptsMax) throw notUndoable('It is as it was before that write already.')
        } catch (error) {
          // Somebody changed the thing between look and write: the next look says how.
          if (!isStale(error) || attempt === attemptsMax) throw await nameChanges(audit, entry, error)
        }
      }
    },
  }
}
