import type { ChangeWay } from '../../../shared/domain/history/block-change.ts'
import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import type { BlockPos } from '../../../shared/rules/positions.ts'
import type { BlockEdit } from '../../protocol/generated/gatehouse.ts'
import { encodeServerMessage, type FrameKind, type FrameSink } from '../../protocol/messages.ts'
import { createFrame } from '../../protocol/web-socket-frame.ts'
import type { LoadedColumn } from '../columns/loaded-world.ts'

/**
 * A block that changed from `before` to `index`. `by` is a playerId, or empty if the server restores a block that could not be
 * stored. `via` is the way of the edit.
 */
export type ToldChange = BlockPos & {
  readonly column: LoadedColumn
  readonly index: number
  readonly before: number
  readonly by: string
  readonly via: ChangeWay
  /** The module of the edit, for the way `module`. */
  readonly module?: string | undefined
}

/** A client that has a column: the same object for all of its columns. */
export type ColumnViewer = Pick<FrameSink, 'kind' | 'sendFrame'>

export type TellChangesDeps = {
  /** The clients that have the column and need its changes. */
  readonly viewersOf: (cx: number, cz: number) => Iterable<ColumnViewer>
  readonly registry: Pick<BlockRegistry, 'typeOf'>
}

/** Consecutive changes of one player in one column. Only the final type of a block is kept. */
type Run = { readonly by: string; readonly edits: Map<number, BlockEdit> }
type ColumnRuns = { readonly runs: Run[]; readonly bytes: Map<FrameKind, Uint8Array> }

/** Viewers that have the same changed columns. */
type Group = {
  readonly before: Group | undefined
  readonly runs: ColumnRuns
  readonly next: Map<ColumnRuns, Group>
  readonly frames: Map<FrameKind, Uint8Array>
}

const blockKey = ({ x, y, z }: BlockPos): number => (y << 8) | ((z & 15) << 4) | (x & 15)

const createGroup = (runs: ColumnRuns, before?: Group): Group => ({ before, runs, next: new Map(), frames: new Map() })

const encodeRuns = ({ runs, bytes }: ColumnRuns, kind: FrameKind): Uint8Array => {
  const known = bytes.get(kind)
  if (known !== undefined) return known
  const frames = runs.map(({ by, edits }) =>
    createFrame(encodeServerMessage({ $case: 'blocksChanged', value: { edits: [...edits.values()], by } }, kind), kind),
  )
  const made = Buffer.concat(frames)
  bytes.set(kind, made)
  return made
}

/** All frames of a group in one buffer, because the cost of a write to a socket does not depend on its size. */
const framesOf = (group: Group, kind: FrameKind): Uint8Array => {
  const known = group.frames.get(kind)
  if (known !== undefined) return known
  const own = encodeRuns(group.runs, kind)
  const made = group.before === undefined ? own : Buffer.concat([framesOf(group.before, kind), own])
  group.frames.set(kind, made)
  return made
}

/**
 * Sends the changes of a tick, in order, to all clients that have the columns. Each column is encoded once, and each client gets
 * one write.
 */
export const createTellChanges = ({ viewersOf, registry }: TellChangesDeps) => {
  const splitByColumn = (changes: readonly ToldChange[]): Map<LoadedColumn, ColumnRuns> => {
    const columns = new Map<LoadedColumn, ColumnRuns>()
    for (const { column, by, index, x, y, z } of changes) {
      const told: ColumnRuns = columns.get(column) ?? { runs: [], bytes: new Map() }
      columns.set(column, told)
      const { runs } = told
      const last = runs.at(-1)
      const run = last?.by === by ? last : { by, edits: new Map<number, BlockEdit>() }
      if (run !== last) runs.push(run)
      run.edits.set(blockKey({ x, y, z }), { x, y, z, type: registry.typeOf(index).id })
    }
    return columns
  }

  return (changes: readonly ToldChange[]): void => {
    if (changes.length === 0) return
    const first = new Map<ColumnRuns, Group>()
    const groups = new Map<ColumnViewer, Group>()
    for (const [{ cx, cz }, runs] of splitByColumn(changes))
      for (const viewer of viewersOf(cx, cz)) {
        const before = groups.get(viewer)
        const siblings = before?.next ?? first
        const group = siblings.get(runs) ?? createGroup(runs, before)
        siblings.set(runs, group)
        groups.set(viewer, group)
      }
    for (const [viewer, group] of groups) viewer.sendFrame(framesOf(group, viewer.kind))
  }
}
