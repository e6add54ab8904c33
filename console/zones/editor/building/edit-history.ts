/** A block that somebody made another one here. */
export type Change = {
  readonly x: number
  readonly y: number
  readonly z: number
  readonly before: string
  readonly after: string
}

/** What was done here, the last first to be taken back. */
export type EditHistory = {
  /** Something new was done: what was taken back cannot come again. */
  add(changes: readonly Change[]): void
  canUndo(): boolean
  canRedo(): boolean
  takeUndo(): readonly Change[] | undefined
  takeRedo(): readonly Change[] | undefined
  /** Keeps what was taken for the way back, with the changes that were really made. */
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

/** The way back, leaving out what somebody else has changed since. */
export const reverse = (
  changes: readonly Change[],
  typeAt: (x: number, y: number, z: number) => string | undefined,
): readonly Change[] =>
  [...changes]
    .reverse()
    .flatMap(({ x, y, z, before, after }) => (typeAt(x, y, z) === after ? [{ x, y, z, before: after, after: before }] : []))
