import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { createParser } from '../../kernel/schema.ts'
import type { AuditEntry } from '../audit/audit-log.ts'
import { scheduleOf, Zone } from '../zones/zone.ts'
import { defaultRules } from '../zones/zone-index.ts'
import type { VersionedZone, ZoneChange, ZoneService } from '../zones/zone-service.ts'
import { isRecord, notUndoable, refuseChanged, refuseChangedFields, type Undoer, type UndoPlan, withFieldsOf } from './undoer.ts'

const parseZone = createParser(Zone)

const readZone = (side: unknown): Zone | undefined => {
  const parsed = parseZone(side)
  return parsed.ok ? parsed.value : undefined
}

/** The zone in the form of the entry, which leaves out unchanged columns. */
const tellAs = (zone: Zone, side: object): object => {
  const { chunks: _, ...rest } = zone
  return Object.hasOwn(side, 'chunks') ? zone : rest
}

/** The change that leads from `zone` back to `was`. Each write changes one aspect of a zone. */
const leadBack = (was: Zone, zone: Zone): ZoneChange | undefined => {
  const isOther = (key: keyof Zone): boolean => !isDeepStrictEqual(was[key], zone[key])
  if (isOther('name') || isOther('owner')) return { name: was.name, owner: was.owner }
  if (isOther('chunks')) return { chunks: was.chunks }
  if (isOther('enabled')) return { enabled: was.enabled }
  if (isOther('rules')) return { rules: was.rules ?? defaultRules }
  if (isOther('members')) return { members: was.members ?? [] }
  if (!isDeepStrictEqual(scheduleOf(was), scheduleOf(zone))) return { schedule: scheduleOf(was) }
  if (isOther('yMin') || isOther('yMax')) return { yMin: was.yMin, yMax: was.yMax }
  const { clipPlanes, shortcutBarPages } = was
  return isOther('clipPlanes') || isOther('shortcutBarPages') ? { clipPlanes, shortcutBarPages } : undefined
}

export const createUndoZones = ({ zones, clock }: { readonly zones: ZoneService; readonly clock: Clock }): Undoer => {
  const find = async (id: string): Promise<VersionedZone | undefined> => {
    try {
      return await zones.getZone(id)
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not-found') return undefined
      throw error
    }
  }

  const planCreation = async (entry: AuditEntry): Promise<UndoPlan> => {
    const current = await find(entry.target)
    refuseChanged(entry, current?.zone)
    return {
      would: null,
      apply: async (actor) => {
        await zones.removeZone(actor, entry.target, current?.version)
        return null
      },
    }
  }

  const planChange = async (entry: AuditEntry): Promise<UndoPlan> => {
    const { before, after, target } = entry
    if (!isRecord(before) || !isRecord(after)) throw notUndoable('This entry does not have the previous zone.')
    const current = await find(target)
    const keys = refuseChangedFields({ before, after }, current && tellAs(current.zone, after))
    const change = current && leadBack(withFieldsOf(current.zone, before, keys), current.zone)
    if (current === undefined || change === undefined) throw notUndoable('The write did not change the zone.')
    return {
      would: { ...current.zone, ...change },
      apply: async (actor) => (await zones.changeZone(actor, target, change, current.version)).zone,
    }
  }

  const planDeletion = async (entry: AuditEntry): Promise<UndoPlan> => {
    const zone = readZone(entry.before)
    if (zone === undefined) throw notUndoable('The zone was unreadable when it was deleted, so the audit log does not have it.')
    refuseChanged(entry, (await find(zone.id))?.zone)
    // A zone that has expired would be deleted again at once.
    const { expiresAt, ...lasting } = zone
    const back = expiresAt !== undefined && Date.parse(expiresAt) <= clock.now() ? lasting : zone
    return { would: back, apply: async (actor) => (await zones.restoreZone(actor, back)).zone }
  }

  return {
    actions: ['zone.create', 'zone.update', 'zone.delete'],
    permission: 'admin.instances.write',
    plan: (entry) => {
      if (entry.action === 'zone.create') return planCreation(entry)
      return entry.action === 'zone.update' ? planChange(entry) : planDeletion(entry)
    },
  }
}
