import { AppError } from '../../kernel/errors.ts'
import type { Actor } from '../accounts/actor.ts'
import type { AuditEntry } from '../audit/audit-log.ts'
import type { ConfigEditor } from '../configs/editor/config-editor.ts'
import { etagOf } from '../configs/texts/config-etag.ts'
import { isRecord, notUndoable, refuseChanged, type Undoer } from './undoer.ts'

const tagOf = (side: unknown): string | undefined => (isRecord(side) && typeof side.etag === 'string' ? side.etag : undefined)

/** Byte order marks that an editor may have put before a text, once or twice. */
const marks = ['', '\uFEFF', '\uFEFF\uFEFF']

/** Saved config texts: restores the previous text with its comments, through the checks of every save. */
export const createUndoConfigs = ({ configEditor }: { readonly configEditor: ConfigEditor }): Undoer => {
  const findText = async (name: string, etag: string, actor: Actor) => {
    for (const { revision } of await configEditor.revisions(name, actor)) {
      const text = await configEditor.getRevision(name, revision, actor)
      // A text saved by hand may start with a byte order mark, which is never shown.
      if (marks.some((mark) => etagOf(mark + text) === etag)) return { revision, text }
    }
    return undefined
  }

  /** The refusal with the revision of the previous text, which can be restored by hand. */
  const refuseOther = async (
    sides: Pick<AuditEntry, 'before' | 'after'>,
    etag: string,
    findRevision: () => Promise<string | undefined>,
  ) => {
    try {
      refuseChanged(sides, { etag })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const revision = await findRevision()
      const members = { ...error.members, ...(revision !== undefined && { revision }) }
      throw new AppError(error.kind, error.slug, error.publicDetail, { members })
    }
  }
  return {
    actions: ['config.save'],
    permission: 'admin.configs.write',
    plan: async (entry, actor) => {
      const { target: name } = entry
      const [was, left] = [tagOf(entry.before), tagOf(entry.after)]
      if (was === undefined || left === undefined) throw notUndoable('This entry does not have the previous text.')
      const current = await configEditor.read(name, actor)
      const sides = { before: { etag: was }, after: { etag: left } }
      await refuseOther(sides, current.etag, async () => (await findText(name, was, actor))?.revision)
      const text = (await findText(name, was, actor))?.text
      if (text === undefined) throw notUndoable('The previous text is no longer available. Only the last 20 are kept.')
      // With the checks of a save, so that a dry run promises only what the undo accepts.
      await configEditor.rehearse(name, text, { actor })
      return {
        would: { name, etag: was, text },
        apply: async (writer) => configEditor.save(name, text, { actor: writer, ifEtag: current.etag }),
      }
    },
  }
}
