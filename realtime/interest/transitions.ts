import { absent, type Body, type Cell, type Cells } from './cells.ts'
import type { PlayersParts } from './players-frame.ts'
import type { Viewer } from './viewer.ts'

/** Bodies that came, left, changed cells or were renamed since the last flush. */
export type Transitions = {
  /** The cell or name of the body may have changed in this tick. */
  touch(body: Body, tick: number): void
  /** Keeps only the bodies that really changed. */
  settle(): void
  /** Call it after all viewers got the changes. */
  commit(): void
  /** Collects the bodies that enter and leave a view as it moves from (`wasX`, `wasZ`) to (`x`, `z`). */
  collect(view: View, appeared: Body[], gone: number[]): void
}

/** A square of cells before and after a tick. A radius of -1 is empty. `self` never appears. */
export type View = {
  wasX: number
  wasZ: number
  wasRadius: number
  x: number
  z: number
  radius: number
  self: Body | undefined
}

const isWithin = (x: number, z: number, centreX: number, centreZ: number, radius: number): boolean =>
  Math.abs(x - centreX) <= radius && Math.abs(z - centreZ) <= radius

export const createTransitions = (): Transitions => {
  const touched: Body[] = []
  const moved: Body[] = []
  return {
    touch: (body, tick) => {
      if (body.touchedTick === tick) return
      body.touchedTick = tick
      touched.push(body)
    },
    settle: () => {
      for (const body of touched) {
        const isElsewhere = (body.cell?.x ?? absent) !== body.toldX || (body.cell?.z ?? absent) !== body.toldZ
        if (isElsewhere || (body.renamed && body.cell !== undefined)) moved.push(body)
        else body.touchedTick = -1
      }
      touched.length = 0
    },
    commit: () => {
      for (const body of moved) {
        body.toldX = body.cell?.x ?? absent
        body.toldZ = body.cell?.z ?? absent
        body.renamed = false
      }
      moved.length = 0
    },
    collect: (view, appeared, gone) => {
      for (const body of moved) {
        if (body === view.self) continue
        const { cell } = body
        const was = isWithin(body.toldX, body.toldZ, view.wasX, view.wasZ, view.wasRadius)
        const is = cell !== undefined && isWithin(cell.x, cell.z, view.x, view.z, view.radius)
        if (is && (!was || body.renamed)) appeared.push(body)
        else if (was && !is) gone.push(body.ref)
      }
    },
  }
}

const viewOf = (viewer: Viewer, cell: Cell): View => ({
  wasX: viewer.toldX,
  wasZ: viewer.toldZ,
  wasRadius: viewer.toldRadius,
  x: cell.x,
  z: cell.z,
  radius: viewer.radius,
  self: viewer.body,
})

const addStayers = (cell: Cell, tick: number, self: Body, visit: (body: Body) => void): void => {
  for (const body of cell.bodies) if (body.touchedTick !== tick && body !== self) visit(body)
}

const addGone = (view: View, cells: Cells, tick: number, parts: PlayersParts, self: Body): void => {
  for (let x = view.wasX - view.wasRadius; x <= view.wasX + view.wasRadius; x += 1)
    for (let z = view.wasZ - view.wasRadius; z <= view.wasZ + view.wasRadius; z += 1) {
      if (isWithin(x, z, view.x, view.z, view.radius)) continue
      const cell = cells.find(x, z)
      if (cell !== undefined) addStayers(cell, tick, self, (body) => parts.gone.push(body.ref))
    }
}

/** The bodies that enter and leave a view because the viewer moved or its radius changed. */
export const collectOwnChanges = (options: {
  readonly viewer: Viewer
  readonly cell: Cell
  readonly tick: number
  readonly cells: Cells
  readonly transitions: Transitions
  readonly parts: PlayersParts
}): void => {
  const { viewer, cell, tick, cells, transitions, parts } = options
  const { body: self } = viewer
  const view = viewOf(viewer, cell)
  const isFresh = viewer.toldRadius < 0
  for (const index of cells.listNear(cell, viewer.radius)) {
    const near = cells.at(index)
    if (isFresh) for (const body of near.bodies) if (body !== self) parts.appeared.push(body)
    if (!isFresh && !isWithin(near.x, near.z, view.wasX, view.wasZ, view.wasRadius))
      addStayers(near, tick, self, (body) => parts.appeared.push(body))
  }
  if (isFresh) return
  addGone(view, cells, tick, parts, self)
  transitions.collect(view, parts.appeared, parts.gone)
}
