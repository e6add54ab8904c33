import type { ConfigFile } from '../declare/config-file.ts'
import type { ConfigChange } from './config-change.ts'
import { type Difference, findDifferences, isSame } from './list-changes-differences.ts'

/** Maximum number of listed changes; further ones are counted. */
export const changesMax = 500

export type ConfigChanges = {
  readonly changes: readonly ConfigChange[]
  /** The number of changes that are not listed. */
  readonly omitted: number
}

/** The values of a config file around a change. */
export type ConfigStates<T> = {
  /** The active value in this process. */
  readonly inForce: T
  /** The value of the stored text. */
  readonly stored: T
  readonly next: T
}

/**
 * The changes from `stored` to `next` with the effect of each, at most 500, in the order of the file. List entries are matched by name, so
 * that an added or removed entry is one change wherever it is, and so is a new order. The cost is linear in the size of both.
 */
export const listChanges = <T>(file: ConfigFile<T>, { inForce, stored, next }: ConfigStates<T>): ConfigChanges => {
  const reloaded = file.afterReload(inForce, next)
  const effectOf = ({ pointer, to, after }: Difference): ConfigChange['effect'] => {
    if (file.isNote(pointer)) return 'now'
    return isSame(after, to) ? 'reload' : 'restart'
  }
  const changes: ConfigChange[] = []
  let omitted = 0
  for (const difference of findDifferences([stored, next, reloaded])) {
    if (changes.length === changesMax) omitted += 1
    else {
      const { pointer, from = null, to = null } = difference
      changes.push({ pointer, from, to, effect: effectOf(difference) })
    }
  }
  return { changes, omitted }
}
