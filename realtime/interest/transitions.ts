import { absent, type Body } from './cell.ts'

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

export const isWithin = (x: number, z: number, centreX: number, centreZ: number, radius: number): boolean =>
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
