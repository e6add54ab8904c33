/** A block change that was made here. */
export type Change = {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly before: string
  readonly after: string
}

/** The undo and redo history of this page. */
export type EditHistory = {
  /** A new change clears the redo history. */
  add(changes: readonly Change[]): void
  canUndo(): boolean
  canRedo(): boolean
  takeUndo(): readonly Change[] | undefined
  takeRedo(): readonly Change[] | undefined
  /** Stores a step with the changes that the server accepted. */
  putUndone(changes: readonly Change[]): void
  putRedone(changes: readonly Change[]): void
}

const stepsMax = 200

export const createEditHistory = (): EditHistory => {
  const done: (readonly Change[])[] = []
  const undone: (readonly Change[])[] = []
  const push = (list: (readonly Change[])[], changes: readonly Change[]): void => {
    if (changes.length > 0) list.push(changes)
    if (list.length > stepsMax) list.shift()
  }
  return {
    add: (changes) => {
      push(done, changes)
      undone.length = 0
    },
    canUndo: () => done.length > 0,
    canRedo: () => undone.length > 0,
    takeUndo: () => done.pop(),
    takeRedo: () => undone.pop(),
    putUndone: (changes) => push(undone, changes),
    putRedone: (changes) => push(done, changes),
  }
}

/** The inverse of a step, without blocks that someone else has changed since. */
export const reverse = (
  changes: readonly Change[],
  typeAt: (x: number, y: number, z: number) => string | undefined,
): readonly Change[] =>
  [...changes]
    .reverse()
    .flatMap(({ x, y, z, before, after }) => (typeAt(x, y, z) === after ? [{ x, y, z, before: after, after: before }] : []))
