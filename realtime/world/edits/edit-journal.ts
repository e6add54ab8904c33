import type { ChangeWay, MadeChange } from '../../../shared/domain/history/block-change.ts'
import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { type BlockPos, chunkCoordinate } from '../../../shared/rules/positions.ts'
import type { LoadedColumn, LoadedWorld } from '../columns/loaded-world.ts'
import type { EditWriter } from '../writing/chunk-writer.ts'
import { createOutage } from '../writing/outage.ts'
import type { ToldChange } from './tell-changes.ts'

/** The limits of pending edits, in total and for each player. An edit counts eight, and each of its blocks one. */
type EditLimits = { readonly total: number; readonly each: number }

const defaultEditLimits: EditLimits = { total: 32_768, each: 4096 }

/** The size of pending edits. It limits the memory for undoing them. */
type EditWeights = {
  add(by: string, blocks: number): void
  remove(by: string, blocks: number): void
  isFull(by: string): boolean
}

const weightOf = (blocks: number): number => 8 + blocks

const createEditWeights = ({ total, each }: EditLimits): EditWeights => {
  const byPlayer = new Map<string, number>()
  let sum = 0

  const weigh = (by: string, more: number): void => {
    const weight = (byPlayer.get(by) ?? 0) + more
    sum += more
    if (weight === 0) byPlayer.delete(by)
    else byPlayer.set(by, weight)
  }

  return {
    add: (by, blocks) => weigh(by, weightOf(blocks)),
    remove: (by, blocks) => weigh(by, -weightOf(blocks)),
    isFull: (by) => sum >= total || (byPlayer.get(by) ?? 0) >= each,
  }
}

/** A block and its new index. */
export type BlockChange = BlockPos & { readonly index: number }

/** Changes that succeed or fail together. */
export type Edit = {
  readonly changes: readonly BlockChange[]
  /** The playerId of the author. Empty for the server. */
  readonly by: string
  readonly via: ChangeWay
  /** The job that undoes earlier changes with this edit. */
  readonly undoes?: string
  /** The module that makes this edit. */
  readonly module?: string
  /** Called once, within a tick: with undefined when the changes are durable, or with the reason why they were undone. */
  readonly settled: (refusal: string | undefined) => void
}

export type WatchReplaced = (pos: BlockPos, index: number) => void

/**
 * Applies edits at once, and keeps the replaced blocks until the edits are durable. If they cannot be written, all pending edits
 * are undone, newest first. Owned by the game loop.
 */
export type EditJournal = {
  /** Why `by` may not edit now: busy, or the reason why edits cannot be stored. */
  findRefusal(by: string): string | undefined
  /** Applies an edit. All columns must be loaded. Refuses at once if `findRefusal` has a reason. */
  apply(edit: Edit): void
  /** Once a tick, after the inbox: settles written and failed edits, and informs the viewers. */
  step(): void
  /** Calls `watch` with each changed block and its previous index. Returns a function that stops it. */
  watchReplaced(watch: WatchReplaced): () => void
  /** The number of edits that are neither durable nor undone. */
  pending(): number
}

export type EditJournalDeps = {
  readonly loaded: Pick<LoadedWorld, 'find' | 'setBlock' | 'blockAt'>
  readonly registry: Pick<BlockRegistry, 'idOf'>
  readonly writer: Pick<EditWriter, 'prepareChange' | 'writeColumns'>
  readonly tell: (changes: readonly ToldChange[]) => void
  /** On the monotonic clock. */
  readonly nowMs: () => number
  readonly limits?: EditLimits
}

type Replaced = { readonly change: BlockChange; readonly column: LoadedColumn; readonly before: number }
type Applied = Edit & {
  readonly columns: readonly LoadedColumn[]
  readonly replaced: readonly Replaced[]
}

const reasonOf = (error: unknown): string =>
  error instanceof AppError && (error.slug === 'storage-full' || error.slug === 'lease-lost') ? error.slug : 'unavailable'

export const createEditJournal = ({
  loaded,
  registry,
  writer,
  tell,
  nowMs,
  limits = defaultEditLimits,
}: EditJournalDeps): EditJournal => {
  const pending = new Set<Applied>()
  const weights = createEditWeights(limits)
  const outage = createOutage({ writer, nowMs, reasonOf })
  const durable: Applied[] = []
  let failure: { readonly reason: string } | undefined
  let told: ToldChange[] = []
  const watchers = new Set<WatchReplaced>()

  const put = (
    { x, y, z, index }: BlockChange,
    column: LoadedColumn,
    { by, via, module }: Pick<Edit, 'by' | 'via' | 'module'>,
  ): number => {
    const before = loaded.setBlock(x, y, z, index)
    told.push({ x, y, z, column, index, before, by, via, module })
    for (const watch of watchers) watch({ x, y, z }, before)
    return before
  }

  const settle = (edit: Applied, refusal: string | undefined): void => {
    pending.delete(edit)
    weights.remove(edit.by, edit.changes.length)
    for (const column of edit.columns) column.writesPending -= 1
    edit.settled(refusal)
  }

  const undo = (edit: Applied, reason: string): void => {
    const { via } = edit
    for (const { change, column, before } of edit.replaced.toReversed())
      put({ ...change, index: before }, column, { by: '', via })
    outage.begin(reason, edit.columns)
    settle(edit, reason)
  }

  /** Call it first in a tick, so that nothing builds on edits that could not be stored. */
  const collect = (): void => {
    for (let edit = durable.shift(); edit !== undefined; edit = durable.shift()) settle(edit, undefined)
    if (failure === undefined) return
    for (const edit of [...pending].reverse()) undo(edit, failure.reason)
    failure = undefined
  }

  /** The columns that the edit changes, and those whose block is not durable yet. */
  const columnsOf = ({ changes }: Edit): LoadedColumn[] => {
    const columns = new Set<LoadedColumn>()
    for (const { x, y, z, index } of changes) {
      const column = loaded.find(chunkCoordinate(x), chunkCoordinate(z))
      if (column !== undefined && (column.writesPending > 0 || loaded.blockAt(x, y, z) !== index)) columns.add(column)
    }
    return [...columns]
  }

  const replace = (edit: Edit): Replaced[] => {
    const replaced: Replaced[] = []
    for (const change of edit.changes) {
      const { x, y, z, index } = change
      const column = loaded.find(chunkCoordinate(x), chunkCoordinate(z))
      if (column === undefined || loaded.blockAt(x, y, z) === index) continue
      replaced.push({ change, column, before: put(change, column, edit) })
    }
    return replaced
  }

  const historyOf = ({ by, via, undoes, module, replaced }: Applied): MadeChange[] =>
    replaced.map(({ change: { x, y, z, index }, before }) => ({
      x,
      y,
      z,
      by,
      via,
      from: registry.idOf(before),
      to: registry.idOf(index),
      ...(undoes !== undefined && { undoes }),
      ...(module !== undefined && { module }),
    }))

  const findRefusal = (by: string): string | undefined => {
    collect()
    return outage.reason() ?? (weights.isFull(by) ? 'busy' : undefined)
  }

  return {
    findRefusal,
    apply: (edit) => {
      const refusal = findRefusal(edit.by)
      const columns = refusal === undefined ? columnsOf(edit) : []
      if (columns.length === 0) {
        edit.settled(refusal)
        return
      }
      writer.prepareChange(columns)
      const applied: Applied = { ...edit, columns, replaced: replace(edit) }
      pending.add(applied)
      weights.add(edit.by, edit.changes.length)
      for (const column of columns) column.writesPending += 1
      writer.writeColumns(columns, historyOf(applied)).then(
        () => durable.push(applied),
        (error: unknown) => {
          failure ??= { reason: reasonOf(error) }
        },
      )
    },
    step: () => {
      collect()
      outage.step()
      const changes = told
      told = []
      tell(changes)
    },
    watchReplaced: (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    pending: () => pending.size,
  }
}
