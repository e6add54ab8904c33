import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import type { Zone } from '../../../shared/domain/zones/zone.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import type { ChunkPos } from '../../../shared/rules/positions.ts'
import type { ColumnHolder, LoadedWorld } from '../../world/columns/loaded-world.ts'
import { openColumns } from '../../world/columns/open-columns.ts'
import type { BlockChange } from '../../world/edits/edit-journal.ts'
import type { FeedAudit, FeedEditor } from '../feed-audit.ts'
import type { FeedEdit, Rejected } from '../feed-messages.ts'
import type { FeedSocket } from '../feed-socket.ts'
import { columnsTouched, readFeedEdits } from './read-feed-edits.ts'

/** Farther than the views of players, so that players come first. */
const distance = 64

/** Loads all columns. Resolves to a function that releases them. Rejects with AppError if a column cannot be loaded. */
const loadColumns = async (loaded: Pick<LoadedWorld, 'load' | 'letGo'>, columns: readonly ChunkPos[]): Promise<() => void> => {
  const holder: ColumnHolder = { distanceTo: () => distance }
  const release = (): void => {
    for (const column of columns) loaded.letGo(column, holder)
  }
  const loads = await Promise.allSettled(columns.map((column) => loaded.load(column, holder)))
  const failed = loads.find((load) => load.status === 'rejected')
  if (failed !== undefined) {
    release()
    throw failed.reason
  }
  await openColumns(loads.flatMap((load) => (load.status === 'fulfilled' ? [load.value] : [])))
  return release
}

type PrepareEditDeps = {
  readonly registry: Pick<BlockRegistry, 'find'>
  readonly loaded: Pick<LoadedWorld, 'load' | 'letGo' | 'blockAt'>
  readonly audit: Pick<FeedAudit, 'begin'>
  /** Why the feed cannot edit now: a missing permission, a zone of another world or a deleted zone. */
  readonly findRefusal: (socket: FeedSocket) => string | undefined
  /** Reads the stored zone. Undefined if it was deleted. */
  readonly readZone: (id: string) => Promise<Zone | undefined>
  readonly log: Log
}

/** An edit whose columns are in memory. */
export type ReadyEdit = {
  /** The zone against which the edit was checked. */
  readonly zone: Zone
  readonly changes: readonly BlockChange[]
  readonly rejected: readonly Rejected[]
  /** Whether the edit is in the audit log. Edits without effect are not. */
  readonly isAudited: boolean
  /** Releases the columns. */
  readonly release: () => void
}
export type RefusedEdit = { readonly reason?: string; readonly rejected: readonly Rejected[] }

export const refusedBecause = (reason: string): RefusedEdit => ({ reason, rejected: [] })

/** Whether any block would change. All columns must be loaded. */
export const changesAnything = (loaded: Pick<LoadedWorld, 'blockAt'>, changes: readonly BlockChange[]): boolean =>
  changes.some(({ x, y, z, index }) => loaded.blockAt(x, y, z) !== index)

const reasonOf = (error: unknown): string =>
  error instanceof AppError && (error.slug === 'storage-full' || error.slug === 'lease-lost') ? error.slug : 'unavailable'

/** The asynchronous work before a tick can apply an edit. Neither function rejects. */
export type FeedEditPreparation = {
  /** Reads the stored zone, checks the edit and loads its columns. */
  prepare(socket: FeedSocket, edit: FeedEdit): Promise<ReadyEdit | RefusedEdit>
  /** Writes the audit entry of an edit that had no effect when it was prepared but has one now. */
  auditLate(editor: FeedEditor, ready: ReadyEdit): Promise<ReadyEdit | RefusedEdit>
}

export const createPrepareEdit = (deps: PrepareEditDeps): FeedEditPreparation => {
  const { registry, loaded, audit, findRefusal, readZone, log } = deps

  const prepare = async (socket: FeedSocket, edit: FeedEdit): Promise<ReadyEdit | RefusedEdit> => {
    const refusal = findRefusal(socket)
    if (refusal !== undefined) return refusedBecause(refusal)
    const zone = await readZone(socket.zoneId)
    if (zone === undefined) return refusedBecause('zone-deleted')
    const { changes, rejected } = readFeedEdits(edit.edits, zone, registry)
    if (changes.length === 0 || (rejected.length > 0 && !edit.partial)) return { rejected }
    const release = await loadColumns(loaded, columnsTouched(changes))
    const ready = { zone, changes, rejected, isAudited: false, release }
    return changesAnything(loaded, changes) ? tellAudit(socket, ready) : ready
  }

  const tellAudit = async (editor: FeedEditor, ready: ReadyEdit): Promise<ReadyEdit> => {
    try {
      await audit.begin(editor, ready.changes)
      return { ...ready, isAudited: true }
    } catch (error) {
      ready.release()
      throw error
    }
  }

  const orRefusal = async ({ zoneId }: FeedEditor, ready: Promise<ReadyEdit | RefusedEdit>): Promise<ReadyEdit | RefusedEdit> => {
    try {
      return await ready
    } catch (error) {
      log.warn({ err: error, zoneId }, 'an edit of a feed could not be prepared')
      return refusedBecause(reasonOf(error))
    }
  }

  return {
    prepare: (socket, edit) => orRefusal(socket, prepare(socket, edit)),
    auditLate: (editor, ready) => orRefusal(editor, tellAudit(editor, ready)),
  }
}
