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

/** Behind the views of players. */
const distance = 64

/** Resolves when all columns are in memory and open, to what lets them go again; rejects with AppError when one cannot be loaded. */
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
  /** Why nothing of the feed's can be changed at this moment: a permission, a zone of another world, one that is gone. */
  readonly findRefusal: (socket: FeedSocket) => string | undefined
  /** The zone as it is stored now; undefined when it is gone. */
  readonly readZone: (id: string) => Promise<Zone | undefined>
  readonly log: Log
}

/** An edit whose columns are in memory. */
export type ReadyEdit = {
  /** What it was held against. */
  readonly zone: Zone
  readonly changes: readonly BlockChange[]
  readonly rejected: readonly Rejected[]
  /** Whether the audit log knows of it; what would change nothing is not told. */
  readonly isAudited: boolean
  /** Lets the columns go. */
  readonly release: () => void
}
export type RefusedEdit = { readonly reason?: string; readonly rejected: readonly Rejected[] }

export const refusedBecause = (reason: string): RefusedEdit => ({ reason, rejected: [] })

/** Whether any block is another one now. All columns must be loaded. */
export const changesAnything = (loaded: Pick<LoadedWorld, 'blockAt'>, changes: readonly BlockChange[]): boolean =>
  changes.some(({ x, y, z, index }) => loaded.blockAt(x, y, z) !== index)

const reasonOf = (error: unknown): string =>
  error instanceof AppError && (error.slug === 'storage-full' || error.slug === 'lease-lost') ? error.slug : 'unavailable'

/** What comes before a tick can make an edit; neither ever rejects. */
export type FeedEditPreparation = {
  /** All that it needs, against the zone as it is stored at this moment. */
  prepare(socket: FeedSocket, edit: FeedEdit): Promise<ReadyEdit | RefusedEdit>
  /** Tells the audit log of an edit that would have changed nothing when it was prepared, and now would. */
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
      log.warn({ err: error, zoneId }, 'an edit of a feed could not begin')
      return refusedBecause(reasonOf(error))
    }
  }

  return {
    prepare: (socket, edit) => orRefusal(socket, prepare(socket, edit)),
    auditLate: (editor, ready) => orRefusal(editor, tellAudit(editor, ready)),
  }
}
