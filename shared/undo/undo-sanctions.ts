import { createParser } from '../kernel/schema.ts'
import { Sanction } from '../sanctions/sanction.ts'
import type { SanctionService } from '../sanctions/sanction-service.ts'
import { notUndoable, refuseChanged, type Undoer } from './undoer.ts'

const parseSanction = createParser(Sanction)

/** Sanctions that were imposed, ended or put in force again. */
export const createUndoSanctions = ({
  sanctions,
}: {
  readonly sanctions: Pick<SanctionService, 'getSanction' | 'end' | 'reinstate'>
}): Undoer => ({
  actions: ['sanction.create', 'sanction.end', 'sanction.reinstate'],
  permission: 'admin.sanctions.write',
  plan: async (entry) => {
    const parsed = parseSanction(entry.after)
    if (!parsed.ok) throw notUndoable('The entry does not tell which sanction it was.')
    const { id } = parsed.value
    const current = await sanctions.getSanction(id)
    refuseChanged(entry, current)
    if (entry.action === 'sanction.end') {
      const { endedAt: _, endedBy: __, ...again } = current
      return { would: again, apply: (actor) => sanctions.reinstate(actor, id) }
    }
    return { would: { ...current, endedAt: 'now' }, apply: (actor) => sanctions.end(actor, id) }
  },
})
