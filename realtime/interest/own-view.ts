import type { Body, Cell } from './cell.ts'
import type { Cells } from './cells.ts'
import type { PlayersParts } from './players-parts.ts'
import { isWithin, type Transitions, type View } from './transitions.ts'
import type { Viewer } from './viewer.ts'

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
