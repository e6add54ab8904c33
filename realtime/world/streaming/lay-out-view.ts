import { chunkCoordinate, isChunkPos } from '../../../shared/rules/positions.ts'
import type { LoadedWorld } from '../columns/loaded-world.ts'
import { type ChunkView, faceAhead, isWithin } from './chunk-view.ts'
import { createViewColumns, hasRoomFor, held, sent, setState, stateOf, untouched } from './view-columns.ts'

type Holding = Pick<LoadedWorld, 'hold' | 'letGo'>

const give = (view: ChunkView, loaded: Holding, cx: number, cz: number): void => {
  const state = stateOf(view.columns, cx, cz)
  if (state === untouched) return
  setState(view.columns, cx, cz, untouched)
  const pos = { cx, cz }
  loaded.letGo(pos, view)
  if (state === sent) view.gone.push(pos)
}

const take = (view: ChunkView, loaded: Holding, cx: number, cz: number): void => {
  if (stateOf(view.columns, cx, cz) === untouched) {
    const pos = { cx, cz }
    if (!isChunkPos(pos)) return
    setState(view.columns, cx, cz, held)
    loaded.hold(pos, view)
  }
  if (stateOf(view.columns, cx, cz) === held) view.unsent += 1
}

/** Enlarges the storage if columns up to `reach` from the new square do not fit. */
const makeRoom = (view: ChunkView, reach: number, before: { cx: number; cz: number; reach: number }): void => {
  const { columns } = view
  if (hasRoomFor(columns, reach)) return
  view.columns = createViewColumns(reach)
  for (let cx = before.cx - before.reach; cx <= before.cx + before.reach; cx += 1)
    for (let cz = before.cz - before.reach; cz <= before.cz + before.reach; cz += 1) {
      const state = stateOf(columns, cx, cz)
      if (state !== untouched) setState(view.columns, cx, cz, state)
    }
}

/** Releases all columns. The client gets no message. */
export const letGoOfAll = (view: ChunkView, loaded: Holding): void => {
  const reach = view.laidOutRadius + 1
  for (let cx = view.cx - reach; cx <= view.cx + reach; cx += 1)
    for (let cz = view.cz - reach; cz <= view.cz + reach; cz += 1) give(view, loaded, cx, cz)
  view.gone = []
  view.unsent = 0
  view.laidOutRadius = -1
}

/** Moves the square to the player: holds new columns, and releases those more than one column outside. */
export const layOutView = (view: ChunkView, loaded: Holding, tick: number): void => {
  const { cx: wasX, cz: wasZ, laidOutRadius, radius } = view
  const wasReach = laidOutRadius + 1
  view.cx = chunkCoordinate(view.body.x)
  view.cz = chunkCoordinate(view.body.z)
  view.laidOutRadius = radius
  view.lookedAt = -1
  faceAhead(view, tick)
  for (let cx = wasX - wasReach; cx <= wasX + wasReach; cx += 1)
    for (let cz = wasZ - wasReach; cz <= wasZ + wasReach; cz += 1)
      if (!isWithin(view, cx, cz, radius + 1)) give(view, loaded, cx, cz)
  makeRoom(view, radius + 1, { cx: wasX, cz: wasZ, reach: wasReach })
  view.unsent = 0
  for (let cx = view.cx - radius; cx <= view.cx + radius; cx += 1)
    for (let cz = view.cz - radius; cz <= view.cz + radius; cz += 1) take(view, loaded, cx, cz)
}
