import type { Actor } from '../accounts/actor.ts'
import type { ConfigEditor } from '../configs/editor/config-editor.ts'
import { etagOf } from '../configs/texts/config-files.ts'
import { isRecord, notUndoable, refuseChanged, type Undoer } from './undoer.ts'

const tagOf = (side: unknown): string | undefined => (isRecord(side) && typeof side.etag === 'string' ? side.etag : undefined)

/** What a hand may have put before a text, once or by mistake twice. */
const marks = ['', '\uFEFF', '\uFEFF\uFEFF']

/** Config texts that were saved: the text before, comments and all, through the checks of every save. */
export const createUndoConfigs = ({ configEditor }: { readonly configEditor: ConfigEditor }): Undoer => {
  const findText = async (name: string, etag: string, actor: Actor): Promise<string> => {
    for (const { revision } of await configEditor.revisions(name, actor)) {
      const text = await configEditor.getRevision(name, revision, actor)
      // A text that a hand saved may have begun with a byte order mark, which nobody is shown.
      if (marks.some((mark) => etagOf(mark + text) === etag)) return text
    }
    throw notUndoable('The text before is not kept any more: the last 20 are.')
  }
  return {
    actions: ['config.save'],
    permission: 'admin.configs.write',
    plan: async (entry, actor) => {
      const { target: name } = entry
      const [was, left] = [tagOf(entry.before), tagOf(entry.after)]
      if (was === undefined || left === undefined) throw notUndoable('The entry does not tell which text was there before.')
      const current = await configEditor.read(name, actor)
      refuseChanged({ ...entry, before: { etag: was }, after: { etag: left } }, { etag: current.etag })
      const text = await findText(name, was, actor)
      return {
        would: { name, etag: was, text },
        apply: async (writer) => configEditor.save(name, text, { actor: writer, ifEtag: current.etag }),
      }
    },
  }
}
