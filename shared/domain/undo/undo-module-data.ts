import { type ModuleDataAdmin, parseTarget } from '../modules/admin/module-data-admin.ts'
import { isStoredData } from '../modules/data/data-kind.ts'
import { notUndoable, refuseChanged, type Undoer } from './undoer.ts'

/** Writes of administrators to records of modules and to their data of players. */
export const createUndoModuleData = ({ moduleData }: { readonly moduleData: ModuleDataAdmin }): Undoer => ({
  actions: ['module-record.update', 'module-record.delete', 'module-player.update', 'module-player.delete'],
  permission: 'admin.modules.write',
  plan: async (entry) => {
    const target = parseTarget(entry.target)
    if (target === undefined) throw notUndoable('This entry does not name a value of a module.')
    const { before } = entry
    if (before !== null && !isStoredData(before)) throw notUndoable('This entry does not have the previous value.')
    const current = await moduleData.find(target)
    // A connected player whose data was deleted has the defaults of the module.
    const isReset = entry.after === null && current !== undefined && current.etag === undefined
    const now = current === undefined ? null : { version: current.version, value: current.value }
    if (!isReset) refuseChanged(entry, now)
    const was = current === undefined ? null : current.value
    return {
      would: before === null ? null : before.value,
      apply: async (actor) => {
        if (before === null) {
          await moduleData.delete(actor, target, { was })
          return null
        }
        return (await moduleData.put(actor, target, before.value, { version: before.version, was })).value
      },
    }
  },
})
