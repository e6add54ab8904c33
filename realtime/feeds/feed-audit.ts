import { createAuditEntry } from '../../shared/domain/audit/audit-entry.ts'
import type { AuditLog } from '../../shared/domain/audit/audit-log.ts'
import type { Clock } from '../../shared/kernel/clock.ts'
import type { Ids } from '../../shared/kernel/ids.ts'
import type { Log } from '../../shared/kernel/log.ts'
import type { BlockPos } from '../../shared/rules/positions.ts'
import type { BlockChange } from '../world/edits/edit-journal.ts'
import type { FeedSocket } from './feed-socket.ts'

/** The audit details of an edit: the number of blocks, and the box around them. */
type EditedBlocks = { readonly blocks: number; readonly min: BlockPos; readonly max: BlockPos }

/** The author of an edit, and the feed. */
export type FeedEditor = Pick<FeedSocket, 'account' | 'requestId' | 'zoneId'>

/** Audit entries of edits by feeds. The target is the id of the zone. */
export type FeedAudit = {
  /** Writes the entry. It is durable when this resolves, before any block changes. Throws AppError `unavailable`. */
  begin(socket: FeedEditor, changes: readonly BlockChange[]): Promise<void>
  /** Records that the edit was undone. Never rejects. */
  undone(socket: FeedEditor, changes: readonly BlockChange[], reason: string): Promise<void>
}

export type FeedAuditDeps = {
  readonly audit: AuditLog
  readonly clock: Clock
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

const describe = (changes: readonly BlockChange[]): EditedBlocks => {
  const min = { x: Infinity, y: Infinity, z: Infinity }
  const max = { x: -Infinity, y: -Infinity, z: -Infinity }
  for (const change of changes)
    for (const axis of ['x', 'y', 'z'] as const) {
      min[axis] = Math.min(min[axis], change[axis])
      max[axis] = Math.max(max[axis], change[axis])
    }
  return { blocks: changes.length, min, max }
}

export const createFeedAudit = ({ audit, log, ...source }: FeedAuditDeps): FeedAudit => {
  const append = ({ account, requestId, zoneId }: FeedEditor, action: string, after: unknown): Promise<void> =>
    audit.append([
      createAuditEntry(source, { email: account.email, via: 'feed', requestId }, { action, target: zoneId, before: null, after }),
    ])
  return {
    begin: (socket, changes) => append(socket, 'zone.edit', describe(changes)),
    undone: async (socket, changes, reason) => {
      try {
        await append(socket, 'zone.edit-undone', { ...describe(changes), reason })
      } catch (error) {
        log.error({ err: error, zoneId: socket.zoneId }, 'an undone edit could not be recorded in the audit log')
      }
    },
  }
}
