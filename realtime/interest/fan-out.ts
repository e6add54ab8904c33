import type { FrameKind } from '../protocol/messages.ts'
import {
  type CellMovesEncoder,
  createCellMovesEncoder,
  distantTicks,
  dueWindow,
  type MoveWindow,
  moveWindows,
} from './cell-moves.ts'
import { type Cell, type Cells, createViewerGroup, type ViewerGroup } from './cells.ts'
import { createFrameSlab, createOutbox } from './outbox.ts'
import { addMoves, addMovesText, buildPlayersFrame, clearPlayersParts, createPlayersParts } from './players-frame.ts'
import { collectOwnChanges, type Transitions, type View } from './transitions.ts'
import type { Viewer } from './viewer.ts'

/** Sends each viewer the changes in its view, in at most one frame. */
export type FanOut = { send(viewers: readonly Viewer[], tick: number): void }

const groupOf = (cell: Cell, viewer: Viewer): ViewerGroup => {
  const at = viewer.radius * 2 + (viewer.kind === 'text' ? 1 : 0)
  const known = cell.groups[at]
  if (known !== undefined) return known
  const group = createViewerGroup()
  cell.groups[at] = group
  return group
}

/** Moves in distant cells are sent in every third tick, see `distantTicks`. */
export const createFanOut = (cells: Cells, transitions: Transitions): FanOut => {
  const encoder: CellMovesEncoder = createCellMovesEncoder()
  const slab = createFrameSlab()
  let tick = 0
  const parts = createPlayersParts()
  const view: View = { wasX: 0, wasZ: 0, wasRadius: 0, x: 0, z: 0, radius: 0, self: undefined }

  const addSharedChanges = (cell: Cell, radius: number): void => {
    view.wasX = cell.x
    view.wasZ = cell.z
    view.wasRadius = radius
    view.x = cell.x
    view.z = cell.z
    view.radius = radius
    transitions.collect(view, parts.appeared, parts.gone)
  }

  const add = (cell: Cell, window: MoveWindow, kind: FrameKind): void => {
    if (kind === 'binary') addMoves(parts, encoder.encode(cell, window))
    else addMovesText(parts, encoder.encodeText(cell, window))
  }

  const addSharedMoves = (cell: Cell, { radius, kind }: Viewer): void => {
    for (const index of cells.listNear(cell, radius)) {
      const near = cells.at(index)
      const window = dueWindow(near, cell, tick)
      if (window !== undefined && near.movedTick > tick - distantTicks) add(near, window, kind)
    }
  }

  const frameFor = ({ kind }: Viewer): Uint8Array | undefined => buildPlayersFrame(parts, { kind, tick, encoder, slab })

  const build = (group: ViewerGroup, cell: Cell, viewer: Viewer): void => {
    clearPlayersParts(parts)
    addSharedMoves(cell, viewer)
    addSharedChanges(cell, viewer.radius)
    group.tick = tick
    group.frame = frameFor(viewer)
    group.entries = parts.entries
    group.hasChanges = parts.appeared.length + parts.gone.length > 0
  }

  const buildChanges = (group: ViewerGroup, cell: Cell, viewer: Viewer): void => {
    clearPlayersParts(parts)
    addSharedChanges(cell, viewer.radius)
    group.changesTick = tick
    group.changesFrame = frameFor(viewer)
  }

  /** All moves if some were left out, otherwise those of cells that were not due. */
  const ownWindow = ({ isBehind }: Viewer): MoveWindow => (isBehind ? 2 : 1)

  /** The number of moves in the window that are the viewer's own. */
  const countOwn = ({ body }: Viewer, window: MoveWindow): number => (body.movedTick > tick - moveWindows[window] ? 1 : 0)

  const buildOwn = (viewer: Viewer, cell: Cell, isCongested: boolean): Uint8Array | undefined => {
    clearPlayersParts(parts)
    collectOwnChanges({ viewer, cell, tick, cells, transitions, parts })
    const window = ownWindow(viewer)
    if (!isCongested && viewer.toldRadius >= 0)
      for (const index of cells.listNear(cell, viewer.radius)) add(cells.at(index), window, viewer.kind)
    return frameFor(viewer)
  }

  const sendOwn = (viewer: Viewer, cell: Cell): void => {
    const isCongested = viewer.sink.isCongested()
    const frame = buildOwn(viewer, cell, isCongested)
    const tellsOfOthers = parts.entries > countOwn(viewer, ownWindow(viewer)) || parts.appeared.length + parts.gone.length > 0
    if (frame !== undefined && tellsOfOthers) outbox.push(viewer, frame)
    viewer.isBehind = isCongested
    viewer.toldX = cell.x
    viewer.toldZ = cell.z
    viewer.toldRadius = viewer.radius
  }

  /** The frame for a viewer that reads too slowly, instead of the frame of its group. */
  const changesFor = (viewer: Viewer): Uint8Array | undefined => {
    const { cell } = viewer.body
    viewer.isBehind = true
    if (cell === undefined) return undefined
    const group = groupOf(cell, viewer)
    if (group.changesTick !== tick) buildChanges(group, cell, viewer)
    return group.changesFrame
  }
  const outbox = createOutbox(changesFor)

  const sendShared = (viewer: Viewer, cell: Cell, group: ViewerGroup): void => {
    if (group.tick !== tick) build(group, cell, viewer)
    if (group.frame === undefined) return
    if (group.hasChanges || group.entries > countOwn(viewer, 0)) outbox.pushMovement(viewer, group.frame)
  }

  /** Whether this viewer gets the frame of its whole group. */
  const isShared = (viewer: Viewer, cell: Cell): boolean =>
    viewer.toldRadius === viewer.radius &&
    viewer.toldX === cell.x &&
    viewer.toldZ === cell.z &&
    !viewer.body.renamed &&
    (!viewer.isBehind || viewer.sink.isCongested())

  return {
    send: (viewers, now) => {
      tick = now
      encoder.begin(tick)
      slab.reuse()
      for (const viewer of viewers) {
        const { cell } = viewer.body
        if (cell === undefined) continue
        if (isShared(viewer, cell)) sendShared(viewer, cell, groupOf(cell, viewer))
        else sendOwn(viewer, cell)
      }
      if (outbox.writeOut()) slab.keep()
    },
  }
}
