import { type Body, createCells, type Placement, renameBody } from './cells.ts'
import { createFanOut } from './fan-out.ts'
import { createTransitions } from './transitions.ts'
import type { Viewer } from './viewer.ts'

/**
 * Decides which players see each other. Bodies may move freely between two flushes; a flush sends the differences. The world is
 * divided into cells, and a viewer sees whole cells. Changes in a cell are encoded once for all viewers.
 */
export type Interest = {
  addBody(body: Body): void
  removeBody(body: Body): void
  moveBody(body: Body, to: Placement): void
  renameBody(body: Body, displayName: string): void
  /** The viewer gets frames from the next flush on. Its body must be in the world. */
  addViewer(viewer: Viewer): void
  removeViewer(viewer: Viewer): void
  /** The number of players that a new player with this body would see. */
  countAround(body: Body, radius: number): number
  /** All bodies within `cellBlocks` of this position, and some farther away. */
  bodiesNear(x: number, z: number): Iterable<Body>
  /** Sends the changes to all viewers, and starts the next tick. */
  flush(): void
}

/** An empty world. */
export const createInterest = (): Interest => {
  const cells = createCells()
  const transitions = createTransitions()
  const fanOut = createFanOut(cells, transitions)
  const viewers: Viewer[] = []
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
      if (body.cell !== undefined) body.cell.movedTick = tick
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
      fanOut.send(viewers, tick)
      transitions.commit()
      tick = (tick + 1) >>> 0
    },
  }
}
