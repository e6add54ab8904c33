import { AppError } from '../../kernel/errors.ts'
import type { Actor } from '../accounts/actor.ts'
import type { AuditEntry } from '../audit/audit-log.ts'
import type { ConfigEditor } from '../configs/editor/config-editor.ts'
import { etagOf } from '../configs/texts/config-files.ts'
import { isRecord, notUndoable, refuseChanged, type Undoer } from './undoer.ts'

const tagOf = (side: unknown): string | undefined => (isRecord(side) && typeof side.etag === 'string' ? side.etag : undefined)

/** What a hand may have put before a text, once or by mistake twice. */
const marks = ['', '\uFEFF', '\uFEFF\uFEFF']

/** Config texts that were saved: the text before, comments and all, through the checks of every save. */
export const createUndoConfigs = ({ configEditor }: { readonly configEditor: ConfigEditor }): Undoer => {
  const findText = async (name: string, etag: string, actor: Actor) => {
    for (const { revision } of await configEditor.revisions(name, actor)) {
      const text = await configEditor.getRevision(name, revision, actor)
      // A text that a hand saved may have begun with a byte order mark, which nobody is shown.
      if (marks.some((mark) => etagOf(mark + text) === etag)) return { revision, text }
    }
    return undefined
  }

  /** The refusal with the revision of the text before that write, which can be restored by hand. */
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
      if (was === undefined || left === undefined) throw notUndoable('The entry does not tell which text was there before.')
      const current = await configEditor.read(name, actor)
      const sides = { before: { etag: was }, after: { etag: left } }
      await refuseOther(sides, current.etag, async () => (await findText(name, was, actor))?.revision)
      const text = (await findText(name, was, actor))?.text
      if (text === undefined) throw notUndoable('The text before is not kept any more: the last 20 are.')
      // With the checks of the save, so that a dry run promises nothing that the undo refuses.
      await configEditor.rehearse(name, text, { actor })
      return {
        would: { name, etag: was, text },
        apply: async (writer) => configEditor.save(name, text, { actor: writer, ifEtag: current.etag }),
      }
    },
  }
}
