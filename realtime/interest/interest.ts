import type { Cell } from './cell.ts'
import { type Body, type Placement, renameBody } from './cell.ts'
import { createCells } from './cells.ts'
import { createFanOut } from './fan-out.ts'
import { createTransitions } from './transitions.ts'
import type { Viewer } from './viewer.ts'

/**
 * Who sees whom. Bodies move between two flushes as they like; a flush tells every viewer the difference to the flush before. The world is
 * cut into cells, a viewer sees whole cells, and what happened in a cell is encoded once for all who see it.
 */
export type Interest = {
  addBody(body: Body): void
  removeBody(body: Body): void
  moveBody(body: Body, to: Placement): void
  renameBody(body: Body, displayName: string): void
  /** From the next flush on; its body must be in the world. */
  addViewer(viewer: Viewer): void
  removeViewer(viewer: Viewer): void
  /** How many players one who comes into the world there is told of. */
  countAround(body: Body, radius: number): number
  /** Everybody in the world within `cellBlocks` of there, and some who are further away. */
  bodiesNear(x: number, z: number): Iterable<Body>
  /** Sends every viewer what it is to know, and begins the next tick. */
  flush(): void
}

/** An empty world; see `createFanOut` for `crowdPlayers`. */
export const createInterest = (crowdPlayers = 200): Interest => {
  const cells = createCells()
  const transitions = createTransitions()
  const fanOut = createFanOut(cells, transitions, crowdPlayers)
  const viewers: Viewer[] = []
  const movedCells: Cell[] = []
  let tick = 1

  return {
    addBody: (body) => {
      cells.place(body)
      transitions.touch(body, tick)
    },
    removeBody: (body) => {
      cells.remove(body)
      transitions.touch(body, tick)
    },
    moveBody: (body, to) => {
      body.x = to.x
      body.y = to.y
      body.z = to.z
      body.yaw = to.yaw
      body.pitch = to.pitch
      body.movedTick = tick
      const before = body.cell
      cells.place(body)
      if (body.cell !== before) transitions.touch(body, tick)
      if (body.cell === undefined || body.cell.movedTick === tick) return
      body.cell.movedTick = tick
      movedCells.push(body.cell)
    },
    renameBody: (body, displayName) => {
      renameBody(body, displayName)
      body.renamed = true
      transitions.touch(body, tick)
    },
    addViewer: (viewer) => {
      viewer.slot = viewers.push(viewer) - 1
    },
    removeViewer: (viewer) => {
      const last = viewers.pop()
      if (last !== undefined && last !== viewer) {
        viewers[viewer.slot] = last
        last.slot = viewer.slot
      }
      viewer.slot = -1
    },
    countAround: (body, radius) =>
      body.cell === undefined
        ? 0
        : cells.listNear(body.cell, radius).reduce((sum, index) => sum + cells.at(index).bodies.length, 0),
    bodiesNear: cells.bodiesNear,
    flush: () => {
      transitions.settle()
      fanOut.send(viewers, movedCells, tick)
      transitions.commit()
      movedCells.length = 0
      tick = (tick + 1) >>> 0
    },
  }
}
