import type { FrameKind } from '../protocol/messages.ts'
import { type CellMovesEncoder, createCellMovesEncoder, type MoveWindow, moveWindows } from './cell-moves.ts'
import { type Body, type Cell, type Cells, cellCoordinate, createViewerGroup, type ViewerGroup } from './cells.ts'
import { createFrameSlab, createOutbox } from './outbox.ts'
import { addMoves, addMovesText, addRanges, buildPlayersFrame, clearPlayersParts, createPlayersParts } from './players-frame.ts'
import { collectOwnChanges, type Transitions, type View } from './transitions.ts'
import type { Viewer } from './viewer.ts'

/** Beyond this distance, 10 updates per second look the same as 20. */
const nearBlocks = 16

const movedNear = (cell: Cell | undefined, { x, z, ref }: Body, tick: number): boolean =>
  cell !== undefined &&
  cell.movedTick === tick &&
  cell.bodies.some(
    (other) =>
      other.movedTick === tick && Math.abs(other.x - x) < nearBlocks && Math.abs(other.z - z) < nearBlocks && other.ref !== ref,
  )

/** Whether another body less than 16 blocks away horizontally moved in this tick. `cell` is the cell of `body`. */
const hasNearMoves = (cells: Cells, cell: Cell, body: Body, tick: number): boolean => {
  if (movedNear(cell, body, tick)) return true
  const [firstX, lastX] = [cellCoordinate(body.x - nearBlocks), cellCoordinate(body.x + nearBlocks)]
  const [firstZ, lastZ] = [cellCoordinate(body.z - nearBlocks), cellCoordinate(body.z + nearBlocks)]
  for (let x = firstX; x <= lastX; x += 1)
    for (let z = firstZ; z <= lastZ; z += 1)
      if ((x !== cell.x || z !== cell.z) && movedNear(cells.find(x, z), body, tick)) return true
  return false
}

/** In cells: moves up to this distance are sent in every tick, and up to the second one in every second tick. */
const nearestCells = 1
const halfRateCells = 2

/** The window of moves of `cell` to send in this tick, or undefined if the cell is not due. It is equal for all viewers. */
const crowdedWindow = (cell: Cell, from: Cell, tick: number): MoveWindow | undefined => {
  const distance = Math.max(Math.abs(cell.x - from.x), Math.abs(cell.z - from.z))
  if (distance <= nearestCells) return 0
  const turn = tick + cell.x + cell.z * 3
  if (distance <= halfRateCells) return (turn & 1) === 0 ? 1 : undefined
  return (turn & 3) === 0 ? 2 : undefined
}

/** Sends each viewer the changes in its view, in at most one frame. */
export type FanOut = { send(viewers: readonly Viewer[], moved: readonly Cell[], tick: number): void }

const groupOf = (cell: Cell, viewer: Viewer): ViewerGroup => {
  const at = viewer.radius * 2 + (viewer.kind === 'text' ? 1 : 0)
  const known = cell.groups[at]
  if (known !== undefined) return known
  const group = createViewerGroup()
  cell.groups[at] = group
  return group
}

/** If more than `crowdPlayers` are in view, distant cells are sent every second or fourth tick. */
export const createFanOut = (cells: Cells, transitions: Transitions, crowdPlayers: number): FanOut => {
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

  const countPlayers = (near: readonly number[]): number => {
    const populations = cells.populations()
    let players = 0
    for (const index of near) players += populations[index] ?? 0
    return players
  }

  /** Adds the moves in view that are due. */
  const addSharedMoves = (group: ViewerGroup, cell: Cell, viewer: Viewer, window: 0 | 1): void => {
    const nearIndexes = cells.listNear(cell, viewer.radius)
    if (group.moves === 'all' && viewer.kind === 'binary') addRanges(parts, encoder.ranges(window), nearIndexes)
    else
      for (const index of nearIndexes) {
        const near = cells.at(index)
        const reach = group.moves === 'flush' ? 2 : group.moves === 'crowded' ? crowdedWindow(near, cell, tick) : window
        if (reach !== undefined && near.movedTick > tick - 4) add(near, reach, viewer.kind)
      }
  }

  const frameFor = ({ kind }: Viewer): Uint8Array | undefined => buildPlayersFrame(parts, { kind, tick, encoder, slab })

  /** Decides the content of the frames of a group in this tick, before they are built. */
  const look = (group: ViewerGroup, cell: Cell, viewer: Viewer): void => {
    clearPlayersParts(parts)
    addSharedChanges(cell, viewer.radius)
    group.tick = tick
    group.hasChanges = parts.appeared.length + parts.gone.length > 0
    group.moves = group.nextMoves
    const isCrowded = countPlayers(cells.listNear(cell, viewer.radius)) > crowdPlayers
    group.nextMoves = isCrowded ? 'crowded' : group.moves === 'crowded' ? 'flush' : 'all'
  }

  const build = (group: ViewerGroup, cell: Cell, viewer: Viewer, window: 0 | 1): void => {
    const shared = group.frames[window]
    clearPlayersParts(parts)
    addSharedMoves(group, cell, viewer, window)
    addSharedChanges(cell, viewer.radius)
    shared.tick = tick
    shared.frame = frameFor(viewer)
    shared.entries = parts.entries
  }

  const buildChanges = (group: ViewerGroup, cell: Cell, viewer: Viewer): void => {
    clearPlayersParts(parts)
    addSharedChanges(cell, viewer.radius)
    group.changesTick = tick
    group.changesFrame = frameFor(viewer)
  }

  /** The window of moves that the viewer may lack. */
  const ownWindow = ({ isBehind, isCrowded, hasWaited }: Viewer): MoveWindow => (isBehind ? 3 : isCrowded ? 2 : hasWaited ? 1 : 0)

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
    viewer.isCrowded = false
    viewer.hasWaited = false
    viewer.toldX = cell.x
    viewer.toldZ = cell.z
    viewer.toldRadius = viewer.radius
  }

  /** The frame for a viewer that reads too slowly, instead of the frame of its group. */
  const changesFor = (viewer: Viewer): Uint8Array | undefined => {
    const { group, body } = viewer
    viewer.isBehind = true
    if (group === undefined || body.cell === undefined) return undefined
    if (group.changesTick !== tick) buildChanges(group, body.cell, viewer)
    return group.changesFrame
  }
  const outbox = createOutbox(changesFor)

  /**
   * Whether a viewer gets the moves of this tick with those of the next. All of them are too distant to notice. It happens at most
   * every second tick, alternating between neighbouring cells to spread the load.
   */
  const mayWait = (viewer: Viewer, cell: Cell, group: ViewerGroup): boolean =>
    ((tick + cell.x + cell.z) & 1) === 0 &&
    !viewer.hasWaited &&
    !group.hasChanges &&
    group.moves === 'all' &&
    group.nextMoves === 'all' &&
    !hasNearMoves(cells, cell, viewer.body, tick)

  const sendShared = (viewer: Viewer, cell: Cell, group: ViewerGroup): void => {
    if (group.tick !== tick) look(group, cell, viewer)
    viewer.isCrowded = group.moves !== 'all' || group.nextMoves !== 'all'
    viewer.group = group
    const window = viewer.hasWaited ? 1 : 0
    viewer.hasWaited = mayWait(viewer, cell, group)
    if (viewer.hasWaited) return
    const shared = group.frames[window]
    if (shared.tick !== tick) build(group, cell, viewer, window)
    if (shared.frame === undefined) return
    if (!group.hasChanges && shared.entries === countOwn(viewer, window)) return
    outbox.pushMovement(viewer, shared.frame)
  }

  /** Whether this viewer gets the frame of its whole group. */
  const isShared = (viewer: Viewer, cell: Cell, group: ViewerGroup): boolean =>
    viewer.toldRadius === viewer.radius &&
    viewer.toldX === cell.x &&
    viewer.toldZ === cell.z &&
    !viewer.body.renamed &&
    // A viewer that left its cell and returned within a tick has lost its group, which knows the due cells.
    (!viewer.isCrowded || viewer.group === group) &&
    (!viewer.isBehind || viewer.sink.isCongested())

  return {
    send: (viewers, moved, now) => {
      tick = now
      encoder.begin(tick, moved)
      slab.reuse()
      for (const viewer of viewers) {
        const { cell } = viewer.body
        if (cell === undefined) continue
        const group = groupOf(cell, viewer)
        if (isShared(viewer, cell, group)) sendShared(viewer, cell, group)
        else sendOwn(viewer, cell)
      }
      if (outbox.writeOut()) slab.keep()
    },
  }
}
