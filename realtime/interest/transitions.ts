import { absent, type Body } from './cell.ts'

/** Bodies that came, left, changed cells or were renamed since viewers were last told. */
export type Transitions = {
  /** Remembers that something about the body's cell or name may have changed in this tick. */
  touch(body: Body, tick: number): void
  /** Leaves those for which something did. */
  settle(): void
  /** After every viewer was told. */
  commit(): void
  /** Adds who appeared and who is gone for one whose view was the square around (`wasX`, `wasZ`) and is that around (`x`, `z`). */
  collect(view: View, appeared: Body[], gone: number[]): void
}

/** A square of cells before and after a tick; a radius of -1 sees nothing. `self` never appears. */
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
