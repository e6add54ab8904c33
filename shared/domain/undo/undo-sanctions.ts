import type { Clock } from '../../kernel/clock.ts'
import { createParser } from '../../kernel/schema.ts'
import { isInForce, Sanction } from '../sanctions/sanction.ts'
import type { SanctionService } from '../sanctions/sanction-service.ts'
import { notUndoable, refuseChanged, type Undoer } from './undoer.ts'

const parseSanction = createParser(Sanction)

/** Sanctions that were imposed, ended or reinstated. */
export const createUndoSanctions = ({
  sanctions,
  clock,
}: {
  readonly sanctions: Pick<SanctionService, 'getSanction' | 'end' | 'reinstate'>
  readonly clock: Pick<Clock, 'now'>
}): Undoer => ({
  actions: ['sanction.create', 'sanction.end', 'sanction.reinstate'],
  permission: 'admin.sanctions.write',
  plan: async (entry) => {
    const parsed = parseSanction(entry.after)
    if (!parsed.ok) throw notUndoable('This entry does not have the sanction.')
    const { id } = parsed.value
    const current = await sanctions.getSanction(id)
    refuseChanged(entry, current)
    const { endedAt: _, endedBy: __, ...again } = current
    if (!isInForce(again, clock.now())) throw notUndoable('The sanction has expired. There is nothing to end or reinstate.')
    if (entry.action === 'sanction.end') return { would: again, apply: (actor) => sanctions.reinstate(actor, id, actor.address) }
    return { would: { ...current, endedAt: 'now' }, apply: (actor) => sanctions.end(actor, id, actor.address) }
  },
})
