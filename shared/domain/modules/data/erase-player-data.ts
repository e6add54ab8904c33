import type { Clock } from '../../../kernel/clock.ts'
import type { Ids } from '../../../kernel/ids.ts'
import { listFirstParts } from '../../../platform/storage/list-first-parts.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { createAuditEntry } from '../../audit/audit-entry.ts'
import { auditWrites } from '../../audit/store-audit-log.ts'
import { modulePlayers, moduleSetAside, playerDataId } from './module-data.ts'

/**
 * Permanently deletes the data of a player in all modules, including values that were set aside. Each module is an audit entry without
 * the value. A failed call can be repeated.
 */
export const erasePlayerData = async (
  { store, ...source }: { readonly store: Store; readonly clock: Clock; readonly ids: Pick<Ids, 'uuid'> },
  playerId: string,
): Promise<void> => {
  for (const module of await listFirstParts(store, modulePlayers.name)) {
    const id = playerDataId(module, playerId)
    if ((await store.get(modulePlayers, id)) === undefined) continue
    const system = { email: 'system', via: 'cli', requestId: source.ids.uuid() } as const
    const erasure = { action: 'module-player.erase', target: `${module}/players/${playerId}`, before: null, after: null }
    await store.commit([
      { kind: 'delete', collection: modulePlayers.name, id },
      ...auditWrites(createAuditEntry(source, system, erasure)),
    ])
  }
  const base = `${modulePlayers.name}/`
  for (const module of await listFirstParts(store, moduleSetAside.name, base)) {
    const prefix = `${base}${playerDataId(module, playerId)}/`
    const { records } = await store.list(moduleSetAside, { prefix, limit: 1000 })
    for (const { id } of records) await store.delete(moduleSetAside, id)
  }
}
